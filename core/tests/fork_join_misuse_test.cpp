// How fork_join reports misuse.
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <memory>

#include "fork_join_testing.hpp"
#include "sanitized.hpp"

namespace fencepost {
namespace {

using fork_join_death = testing::Test;

#if !defined(SANITIZED) && !defined(_WIN32)  // sanitized frames differ; Windows lacks the signal
long without_end(fork_join_worker& me, long n) noexcept {
  volatile long frame[32];  // otherwise compilers make a loop of it
  frame[n % 32] = n;
  auto rest = me.spawn([n](fork_join_worker& mine) noexcept { return without_end(mine, n + 1); });
  return me.sync(rest) + frame[n % 32];
}

TEST(fork_join_death, a_stack_that_overflows_says_which_worker_and_how_large) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fork_join_options options = with(1);
  options.stack = 256 << 10;
  EXPECT_EXIT(fork_join{options}.run([](fork_join_worker& me) { return without_end(me, 0); }),
              testing::KilledBySignal(SIGSEGV),
              "the thread fencepost-0 has overflowed its stack of 262144 bytes");
}
#endif

TEST(fork_join_death, a_pool_that_its_own_task_destroys_says_so) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        static fork_join pool{with(1)};
        pool.run([] { std::exit(0); });
      },
      "fencepost::fork_join: destroyed by one of its own workers");
}

TEST(fork_join_death, tells_of_a_task_that_is_synced_twice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(1)}.run([](fork_join_worker& me) {
    auto handle = me.spawn([] {});
    me.sync(handle);
    me.sync(handle);
  }),
               "handle without a task");
}

TEST(fork_join_death, tells_of_tasks_that_are_synced_out_of_order) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(1)}.run([](fork_join_worker& me) {
    auto first = me.spawn([] {});
    auto second = me.spawn([] {});
    me.sync(first);
    me.sync(second);
  }),
               "out of order");
}

TEST(fork_join_death, tells_of_a_task_that_another_worker_syncs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(2)}.run([](fork_join_worker& me) {
    auto outer = me.spawn([] {});
    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&](fork_join_worker& mine) {
      ran = true;
      mine.sync(outer);
    });
    while (!ran) me.poll();
    me.sync(stolen);
  }),
               "by a worker that did not spawn it|out of order");
}

#if !defined(NDEBUG)
TEST(fork_join_death, tells_of_a_task_that_is_never_synced) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(1)}.run([](fork_join_worker& me) { auto handle = me.spawn([] {}); }),
               "destroyed with its task");
}

TEST(fork_join_death, tells_of_a_worker_that_another_one_uses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(2)}.run([](fork_join_worker& me) {
    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&] {
      ran = true;
      me.sync(me.spawn([] {}));
    });
    while (!ran) me.poll();
    me.sync(stolen);
  }),
               "used by a task that another worker runs");
}
#else
TEST(fork_join, drops_a_task_that_is_never_synced) {
  fork_join pool{with(1)};
  const auto token = std::make_shared<int>(1);
  pool.run([&](fork_join_worker& me) { auto handle = me.spawn([token] { return *token; }); });
  EXPECT_EQ(token.use_count(), 1);
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 10); }), 55);
}
#endif

}  // namespace
}  // namespace fencepost
