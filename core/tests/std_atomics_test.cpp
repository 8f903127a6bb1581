#include "fencepost/atomics/std_atomics.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>

namespace fencepost {
namespace {

using namespace std::chrono_literals;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto seq_cst = std::memory_order_seq_cst;

static_assert(std::is_same_v<std_atomics::atomic<int>, std::atomic<int>>);
static_assert(sizeof(std_atomics::plain<char>) == 1 && sizeof(std_atomics::plain<double>) == 8);
static_assert(std::is_trivially_copyable_v<std_atomics::plain<int>>);
static_assert(!std::is_assignable_v<std_atomics::plain<int>&, int>);

TEST(plain, is_what_was_set) {
  std_atomics::plain<int> data{1};
  EXPECT_EQ(data.get(), 1);
  data.set(2);
  EXPECT_EQ(data.read(), 2);
  data.write() = 3;
  EXPECT_EQ(data.get(), 3);
}

#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD

TEST(mixed_size_word, the_value_is_high_then_low) {
  const mixed_size_word word{1, 2};
  EXPECT_EQ(word.load(relaxed), 0x2'0000'0001u);
  EXPECT_EQ(word.load_low(relaxed), 1u);
  EXPECT_EQ(word.load_high(relaxed), 2u);
}

TEST(mixed_size_word, storing_a_half_leaves_the_other) {
  mixed_size_word word{1, 2};
  word.store_low(3, relaxed);
  EXPECT_EQ(word.load(relaxed), 0x2'0000'0003u);
  word.store_high(4, seq_cst);
  EXPECT_EQ(word.load(seq_cst), 0x4'0000'0003u);
  word.store(0x6'0000'0005u, relaxed);
  EXPECT_EQ(word.load_low(relaxed), 5u);
  EXPECT_EQ(word.load_high(relaxed), 6u);
}

TEST(mixed_size_word, an_exchange_of_the_whole_fails_when_a_half_has_changed) {
  mixed_size_word word{1, 2};
  std::uint64_t expected = word.load(relaxed);
  word.store_high(3, relaxed);
  EXPECT_FALSE(word.compare_exchange_strong(expected, 0, seq_cst, relaxed));
  EXPECT_EQ(expected, 0x3'0000'0001u);
  EXPECT_TRUE(word.compare_exchange_strong(expected, 7, seq_cst, relaxed));
  EXPECT_EQ(word.load(relaxed), 7u);
}

// If the word were two objects, a store to one half during an exchange of the whole could be lost.
TEST(mixed_size_word, no_store_to_a_half_is_lost_to_exchanges_of_the_whole) {
  constexpr std::uint32_t rounds = 100'000;
  mixed_size_word word{0, 0};
  std::jthread counter{[&] {
    for (std::uint32_t n = 0; n < rounds;) {
      std::uint64_t seen = word.load(relaxed);
      if (word.compare_exchange_weak(seen, seen + 1, seq_cst, relaxed)) ++n;
    }
  }};
  for (std::uint32_t n = 1; n <= rounds; ++n) {
    word.store_high(n, relaxed);
    ASSERT_EQ(word.load_high(relaxed), n);
  }
  counter.join();
  EXPECT_EQ(word.load(relaxed), (std::uint64_t{rounds} << 32 | rounds));
}

#endif

// This file is built twice: with the system's futex and with the portable one.

TEST(futex, a_wait_for_another_value_returns_at_once) {
  const std::atomic<std::uint32_t> word{1};
  EXPECT_TRUE(std_atomics::futex_wait(word, 0, no_deadline));
}

TEST(futex, a_wait_ends_at_its_deadline_and_not_before) {
  const std::atomic<std::uint32_t> word{0};
  const deadline until = std::chrono::steady_clock::now() + 20ms;
  while (std_atomics::futex_wait(word, 0, until)) {
    ASSERT_LT(std::chrono::steady_clock::now(), until + 10s) << "woken early again and again";
  }
  EXPECT_GE(std::chrono::steady_clock::now(), until);
}

TEST(futex, a_deadline_that_has_passed_is_a_timeout) {
  const std::atomic<std::uint32_t> word{0};
  EXPECT_FALSE(std_atomics::futex_wait(word, 0, std::chrono::steady_clock::now() - 1s));
  EXPECT_FALSE(std_atomics::futex_wait(word, 0, deadline{}));
  EXPECT_FALSE(std_atomics::futex_wait(word, 0, deadline::min()));
}

TEST(futex, a_wake_ends_a_wait) {
  std::atomic<std::uint32_t> word{0};
  std::jthread waker{[&] {
    std::this_thread::sleep_for(5ms);
    word.store(1, seq_cst);
    std_atomics::futex_wake(word, 1);
  }};
  while (word.load(seq_cst) == 0) {
    ASSERT_TRUE(std_atomics::futex_wait(word, 0, std::chrono::steady_clock::now() + 60s));
  }
}

TEST(futex, two_threads_hand_a_token_back_and_forth_without_losing_a_wake) {
  constexpr std::uint32_t rounds = 2000;
  std::atomic<std::uint32_t> token{0};
  const auto play = [&](std::uint32_t first) {
    for (std::uint32_t n = first; n < rounds; n += 2) {
      for (std::uint32_t seen = token.load(seq_cst); seen != n; seen = token.load(seq_cst)) {
        std_atomics::futex_wait(token, seen, no_deadline);
      }
      token.store(n + 1, seq_cst);
      std_atomics::futex_wake(token, 1);
    }
  };
  {
    std::jthread other{play, 1u};
    play(0);
  }
  EXPECT_EQ(token.load(seq_cst), rounds);
}

}  // namespace
}  // namespace fencepost
