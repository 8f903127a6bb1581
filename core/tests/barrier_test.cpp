// The barrier on real threads, and its errors. The scenarios cover every order in which its steps
// can happen.
#include "fencepost/sync/barrier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace fencepost {
namespace {

constexpr std::uint64_t too_many = std::uint64_t{1} << 32;

template <class F>
void on_threads(unsigned count, F&& body) {
  std::vector<std::thread> threads;
  for (unsigned index = 0; index < count; ++index)
    threads.emplace_back([&body, index] { body(index); });
  for (auto& thread : threads) thread.join();
}

TEST(barrier, of_one_thread_lets_it_pass_and_tells_it_that_it_was_the_last) {
  barrier<> alone{1};
  for (int phase = 0; phase < 5; ++phase) EXPECT_TRUE(alone.wait());
  EXPECT_EQ(alone.threads(), 1u);
}

TEST(barrier, runs_the_last_step_once_a_phase) {
  barrier<> alone{1};
  int steps = 0;
  for (int phase = 0; phase < 3; ++phase) alone.wait([&] { ++steps; });
  EXPECT_EQ(steps, 3);
}

TEST(barrier, for_no_threads_is_refused) {
  try {
    barrier<> none{0};
    FAIL() << "it was made";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("at least one"), std::string::npos) << error.what();
  }
}

TEST(barrier, for_more_threads_than_it_can_count_is_refused) {
  EXPECT_NO_THROW(barrier<>{too_many - 1});
  try {
    barrier<> many{too_many};
    FAIL() << "it was made";
  } catch (const std::length_error& error) {
    EXPECT_NE(std::string(error.what()).find("4294967296"), std::string::npos) << error.what();
  }
}

TEST(barrier, that_nobody_has_used_may_be_destroyed) { barrier<>{3}; }

TEST(barrier, on_the_stack_may_die_right_after_the_last_wait) {
  for (int round = 0; round < 300; ++round) {
    auto meeting = std::make_unique<barrier<>>(3u, round % 2 == 0 ? 0u : 100u);
    auto& known = *meeting;
    on_threads(3, [&](unsigned index) {
      known.wait();
      if (index == 0) meeting.reset();
    });
  }
}

#ifndef NDEBUG
TEST(barrier_deathtest, destruction_while_a_thread_waits_is_an_error) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        auto* meeting = new barrier<>(2);
        std::thread waiter([meeting] { meeting->wait(); });
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        delete meeting;
      },
      "destroyed while threads wait");
}
#endif

// Any number of threads and phases, spinning, sleeping or both: after each phase, all threads read
// the sum of what all have added before it, and one thread per phase is told that it was the last.
template <barrier_options Options>
void sums_agree() {
  const auto threads = *rc::gen::inRange(1u, 6u);
  const auto phases = *rc::gen::inRange(1u, 40u);
  const auto spins = *rc::gen::element(0u, 1u, 50u, barrier<>::default_spins);
  barrier<default_atomics, Options> meeting{threads, spins};
  std::vector<unsigned> added(threads, 0);
  std::atomic<unsigned> last{0}, wrong{0};
  unsigned steps = 0;
  on_threads(threads, [&](unsigned index) {
    for (unsigned phase = 0; phase < phases; ++phase) {
      added[index] = phase + 1;
      if (meeting.wait([&] { ++steps; })) last.fetch_add(1);
      unsigned sum = 0;
      for (const unsigned one : added) sum += one;
      if (sum != threads * (phase + 1) || steps != phase + 1) wrong.fetch_add(1);
      meeting.wait();
    }
  });
  RC_ASSERT((wrong.load() == 0));
  RC_ASSERT((last.load() == phases));
}

RC_GTEST_PROP(barrier_model, all_see_the_sum_of_a_phase, ()) { sums_agree<barrier_options{}>(); }
RC_GTEST_PROP(barrier_model, all_see_the_sum_of_a_phase_with_a_fence, ()) {
  sums_agree<barrier_options{.store_load = true, .counts_leavers = false}>();
}

}  // namespace
}  // namespace fencepost
