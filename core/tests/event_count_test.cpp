// The event count, one step at a time; the scenarios cover what happens concurrently.
#include "fencepost/sync/event_count.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

// Counts fences and the calls that reach the system.
struct counting_atomics : default_atomics {
  static inline unsigned fences = 0, wakes = 0, waits = 0;
  static inline unsigned woken_at_most = 0;

  static void reset() { fences = wakes = waits = woken_at_most = 0; }
  static void fence(std::memory_order order) {
    ++fences;
    default_atomics::fence(order);
  }
  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                         deadline until) {
    ++waits;
    return default_atomics::futex_wait(word, expected, until);
  }
  static void futex_wake(atomic<std::uint32_t>& word, unsigned n) {
    ++wakes;
    woken_at_most = n;
    default_atomics::futex_wake(word, n);
  }
};

struct event_counts : testing::Test {
  event_count<counting_atomics> idle;
  void SetUp() override { counting_atomics::reset(); }
  static deadline soon() { return std::chrono::steady_clock::now() + 2ms; }
};

TEST_F(event_counts, a_notify_with_nobody_asleep_is_one_fence_and_no_system_call) {
  idle.notify_one();
  EXPECT_EQ(counting_atomics::fences, 1u);
  EXPECT_EQ(counting_atomics::wakes, 0u);
  idle.notify_all();
  EXPECT_EQ(counting_atomics::fences, 2u);
  EXPECT_EQ(counting_atomics::wakes, 0u);
}

TEST_F(event_counts, a_notify_wakes_one_or_all_of_those_that_are_counted) {
  static_cast<void>(idle.prepare_wait());
  idle.notify_one();
  EXPECT_EQ(counting_atomics::wakes, 1u);
  EXPECT_EQ(counting_atomics::woken_at_most, 1u);
  idle.notify_all();
  EXPECT_EQ(counting_atomics::wakes, 2u);
  EXPECT_GT(counting_atomics::woken_at_most, 1000u);
}

TEST_F(event_counts, a_thread_is_counted_from_prepare_wait_to_cancel_or_the_end_of_the_wait) {
  EXPECT_EQ(idle.sleepers(), 0u);
  static_cast<void>(idle.prepare_wait());
  const auto seen = idle.prepare_wait();
  EXPECT_EQ(idle.sleepers(), 2u);
  idle.cancel_wait();
  EXPECT_EQ(idle.sleepers(), 1u);
  EXPECT_FALSE(idle.wait(seen, soon()));
  EXPECT_EQ(idle.sleepers(), 0u);
}

TEST_F(event_counts, a_notify_after_prepare_wait_ends_the_wait_before_it_begins) {
  const auto seen = idle.prepare_wait();
  idle.notify_one();
  EXPECT_TRUE(idle.wait(seen)) << "without a deadline";
}

TEST_F(event_counts, a_notify_before_prepare_wait_does_not_end_the_wait) {
  idle.notify_one();
  const auto seen = idle.prepare_wait();
  EXPECT_FALSE(idle.wait(seen, soon()));
}

TEST_F(event_counts, a_deadline_that_has_passed_ends_the_wait_at_once) {
  const auto seen = idle.prepare_wait();
  EXPECT_FALSE(idle.wait(seen, deadline{}));
}

TEST_F(event_counts, await_does_not_sleep_where_there_is_something_to_do) {
  EXPECT_TRUE(idle.await([] { return true; }));
  EXPECT_EQ(counting_atomics::fences, 0u) << "not even counted";
  unsigned looks = 0;
  EXPECT_TRUE(idle.await([&] { return ++looks == 2; }));
  EXPECT_EQ(counting_atomics::waits, 0u) << "the second look has found it";
  EXPECT_EQ(idle.sleepers(), 0u);
}

TEST_F(event_counts, await_says_what_the_last_look_said_when_the_deadline_has_passed) {
  EXPECT_FALSE(idle.await([] { return false; }, soon()));
  unsigned looks = 0;
  EXPECT_TRUE(idle.await([&] { return ++looks == 3; }, soon()));
  EXPECT_EQ(idle.sleepers(), 0u);
}

TEST_F(event_counts, an_exception_from_the_first_look_leaves_nothing_behind) {
  EXPECT_THROW(idle.await([]() -> bool { throw std::runtime_error{"look"}; }), std::runtime_error);
  EXPECT_EQ(idle.sleepers(), 0u);
}

TEST_F(event_counts, an_exception_from_the_second_look_leaves_nothing_behind) {
  unsigned looks = 0;
  EXPECT_THROW(idle.await([&]() -> bool {
    if (++looks == 2) throw std::runtime_error{"look"};
    return false;
  }),
               std::runtime_error);
  EXPECT_EQ(idle.sleepers(), 0u);
}

TEST(event_count_on_threads, a_stop_reaches_everybody_without_a_time_out) {
  event_count<> idle;
  std::atomic<bool> stop{false};
  std::vector<std::thread> sleepers;
  for (int i = 0; i < 4; ++i) {
    sleepers.emplace_back([&] { idle.await([&] { return stop.load(); }); });
  }
  std::this_thread::sleep_for(5ms);
  stop.store(true);
  idle.notify_all();
  for (auto& sleeper : sleepers) sleeper.join();
  EXPECT_EQ(idle.sleepers(), 0u);
}

}  // namespace
}  // namespace fencepost
