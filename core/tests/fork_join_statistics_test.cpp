// What fork_join counts.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "fork_join_testing.hpp"

namespace fencepost {
namespace {

TEST(fork_join, counts_what_it_does) {
  counting pool{with(2)};
  using worker = counting::worker;
  EXPECT_EQ(pool.run([](worker& me) { return fib(me, 15); }), 610);
  fork_join_statistics seen = pool.statistics();
  EXPECT_EQ(seen.tasks, 986U);  // fib(16) - 1
  EXPECT_EQ(seen.external, 1U);
  pool.run([&](worker& me) {
    for (int i = 0; i < 10; ++i) {
      std::atomic<bool> ran{false};
      auto stolen = me.spawn([&] { ran = true; });
      while (!ran) me.poll();
      me.sync(stolen);
    }
  });
  seen = pool.statistics();
  EXPECT_EQ(seen.tasks, 996U);
  EXPECT_GE(seen.steals, 10U);
  EXPECT_GE(seen.splits_begun, 10U);
}

// The first task is shared at once, the second when the first one's thief has asked for it.
TEST(fork_join, counts_requests_and_their_answers) {
  counting pool{with(2)};
  using worker = counting::worker;
  pool.run([](worker& me) {
    std::atomic<int> ran{0};
    auto first = me.spawn([&] { ++ran; });
    auto second = me.spawn([&] { ++ran; });
    while (ran != 2) me.poll();
    me.sync(second);
    me.sync(first);
  });
  pool.stop();
  const fork_join_statistics seen = pool.statistics();
  EXPECT_EQ(seen.splits_raised, 1U);
  EXPECT_GE(seen.requests, 1U);
  EXPECT_LE(seen.requests, seen.steals_none + seen.steals);
}

// The first task is shared at once; a second one stays private until a thief asks.
TEST(fork_join, tells_how_many_tasks_thieves_may_take) {
  counting pool{with(1)};
  using worker = counting::worker;
  pool.run([&](worker& me) {
    EXPECT_EQ(pool.statistics().shared, 0U);
    auto first = me.spawn([] {});
    EXPECT_EQ(pool.statistics().shared, 1U);
    auto second = me.spawn([] {});
    EXPECT_EQ(pool.statistics(0).shared, 1U);
    me.share();
    EXPECT_EQ(pool.statistics().shared, 2U);
    me.sync(second);
    me.sync(first);
    EXPECT_EQ(pool.statistics().shared, 0U);
  });
}

TEST(fork_join, tells_how_many_calls_wait_for_a_worker) {
  counting pool{with(1)};
  std::atomic<bool> go{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      pool.run([&] {
        while (!go) std::this_thread::yield();
      });
    });
  }
  while (pool.statistics().waiting != 2 || pool.statistics().external != 1) {
    std::this_thread::yield();
  }
  go = true;
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(pool.statistics().waiting, 0U);
  EXPECT_EQ(pool.statistics().external, 3U);
}

TEST(fork_join, counts_of_all_workers_are_those_of_each) {
  counting pool{with(3)};
  EXPECT_EQ(pool.run([](counting::worker& me) { return fib(me, 18); }), 2584);
  pool.stop();
  fork_join_statistics sum;
  for (std::uint32_t index = 0; index < pool.workers(); ++index) sum += pool.statistics(index);
  const fork_join_statistics all = pool.statistics();
  for (const auto what : fork_join_statistics::members()) EXPECT_EQ(all.*what, sum.*what);
  EXPECT_EQ(all.tasks, 4180U);  // fib(19) - 1
}

}  // namespace
}  // namespace fencepost
