// The futex of Linux; std_atomics_test.cpp covers what holds on every system.
#include <gtest/gtest.h>

#include "fencepost/atomics/std_atomics.hpp"

#if defined(__linux__)

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <csignal>
#include <fstream>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
constexpr auto seq_cst = std::memory_order_seq_cst;

// A thread that waits once.
class waiter {
 public:
  explicit waiter(std::atomic<std::uint32_t>& word, deadline until = no_deadline)
      : thread_([this, &word, until] {
          id_.store(syscall(SYS_gettid), seq_cst);
          result_ = detail::futex_wait(word, word.load(seq_cst), until);
          returned_.store(true, seq_cst);
        }) {
    while (id_.load(seq_cst) == 0 || !(asleep() || returned())) std::this_thread::yield();
  }

  bool returned() const { return returned_.load(seq_cst); }
  bool result() {
    thread_.join();
    return result_;
  }
  pthread_t handle() { return thread_.native_handle(); }

 private:
  // True if the third field of the thread's line is S: it waits for something, which can only be
  // the futex.
  bool asleep() const {
    std::ifstream file{"/proc/self/task/" + std::to_string(id_.load(seq_cst)) + "/stat"};
    std::string line;
    std::getline(file, line);
    const auto name_ends = line.rfind(')');
    return name_ends != std::string::npos && line.substr(name_ends + 2, 1) == "S";
  }

  std::atomic<long> id_{0};
  std::atomic<bool> returned_{false};
  bool result_ = false;
  std::thread thread_;
};

std::size_t returned(const std::vector<std::unique_ptr<waiter>>& waiters) {
  return static_cast<std::size_t>(std::count_if(waiters.begin(), waiters.end(),
                                                [](const auto& each) { return each->returned(); }));
}

// Waits until `n` waiters have returned, and a little longer. Returns how many have.
std::size_t settled(const std::vector<std::unique_ptr<waiter>>& waiters, std::size_t n) {
  const deadline until = steady_clock::now() + 30s;
  while (returned(waiters) < n && steady_clock::now() < until) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  return returned(waiters);
}

TEST(futex_on_linux, wakes_as_many_as_it_is_told) {
  std::atomic<std::uint32_t> word{0};
  std::vector<std::unique_ptr<waiter>> waiters;
  for (int i = 0; i < 5; ++i) waiters.push_back(std::make_unique<waiter>(word));
  detail::futex_wake(word, 0);
  EXPECT_EQ(settled(waiters, 0), 0u);
  detail::futex_wake(word, 1);
  EXPECT_EQ(settled(waiters, 1), 1u);
  detail::futex_wake(word, 2);
  EXPECT_EQ(settled(waiters, 3), 3u);
  detail::futex_wake(word, UINT_MAX);
  EXPECT_EQ(settled(waiters, 5), 5u);
  for (const auto& each : waiters) EXPECT_TRUE(each->result());
}

TEST(futex_on_linux, a_wake_is_for_its_word_only) {
  std::atomic<std::uint32_t> word{0}, other{0};
  std::vector<std::unique_ptr<waiter>> waiters;
  waiters.push_back(std::make_unique<waiter>(word));
  detail::futex_wake(other, UINT_MAX);
  EXPECT_EQ(settled(waiters, 0), 0u);
  detail::futex_wake(word, 1);
  EXPECT_TRUE(waiters[0]->result());
}

TEST(futex_on_linux, a_wake_with_nobody_there_is_not_remembered) {
  std::atomic<std::uint32_t> word{0};
  detail::futex_wake(word, 1);
  EXPECT_FALSE(detail::futex_wait(word, 0, steady_clock::now() + 10ms));
}

TEST(futex_on_linux, a_wake_only_names_its_word_and_does_not_read_it) {
  alignas(4) std::byte memory[4];
  auto& word = *new (memory) std::atomic<std::uint32_t>{0};
  std::destroy_at(&word);
  detail::futex_wake(word, 1);
}

TEST(futex_on_linux, another_value_is_an_early_return_also_with_a_deadline) {
  const std::atomic<std::uint32_t> word{1};
  const deadline begin = steady_clock::now();
  EXPECT_TRUE(detail::futex_wait(word, 0, begin + 60s));
  EXPECT_TRUE(detail::futex_wait(word, 0, begin - 1s));
  EXPECT_LT(steady_clock::now(), begin + 30s);
}

TEST(futex_on_linux, deadlines_far_off_are_not_taken_for_passed_ones) {
  for (const deadline until : {steady_clock::now() + 24h * 365 * 100, no_deadline - 1ns}) {
    std::atomic<std::uint32_t> word{0};
    waiter sleeper{word, until};
    EXPECT_FALSE(sleeper.returned());
    detail::futex_wake(word, 1);
    EXPECT_TRUE(sleeper.result());
  }
}

TEST(futex_on_linux, a_signal_is_an_early_return) {
  struct sigaction handler {};
  struct sigaction before {};
  handler.sa_handler = [](int) {};  // without SA_RESTART
  ASSERT_EQ(sigaction(SIGUSR1, &handler, &before), 0);
  for (const deadline until : {no_deadline, steady_clock::now() + 600s}) {
    std::atomic<std::uint32_t> word{0};
    waiter sleeper{word, until};
    ASSERT_EQ(pthread_kill(sleeper.handle(), SIGUSR1), 0);
    EXPECT_TRUE(sleeper.result());
  }
  sigaction(SIGUSR1, &before, nullptr);
}

}  // namespace
}  // namespace fencepost

#endif
