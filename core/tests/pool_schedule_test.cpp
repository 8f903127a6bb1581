// Coroutines on real pools.
#include "fencepost/runtime/pool_schedule.hpp"

#include <gtest/gtest.h>

#if defined(__cpp_lib_coroutine)
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "of_workers.hpp"
#include "test_coroutines.hpp"

namespace fencepost {
namespace {

using test::reported;

reported<void> hop(thread_pool& first, thread_pool& second, int& steps) {
  EXPECT_FALSE(first.on_worker() || second.on_worker());
  co_await first.schedule();
  EXPECT_TRUE(first.on_worker());
  ++steps;
  co_await second.schedule();
  EXPECT_TRUE(second.on_worker());
  ++steps;
  co_await second.schedule();  // already there
  EXPECT_TRUE(second.on_worker());
  ++steps;
}
TEST(pool_schedule, a_coroutine_goes_on_on_the_pool_that_it_names) {
  thread_pool first{of_workers(2)}, second{of_workers(2)};
  for (int round = 0; round < 200; ++round) {
    int steps = 0;  // not atomic
    hop(first, second, steps).end.get();
    ASSERT_EQ(steps, 3);
  }
}

// The frame is destroyed when the coroutine ends, perhaps before the first call has returned.
test::forgotten count_on(thread_pool& pool, std::atomic<int>& count,
                         std::shared_ptr<int> captured) {
  co_await pool.schedule();
  count.fetch_add(*captured);
}
TEST(pool_schedule, what_is_accepted_runs_before_the_pool_ends_and_its_frame_is_gone) {
  std::atomic<int> count{0};
  const auto captured = std::make_shared<int>(1);
  {
    thread_pool pool{of_workers(3)};
    for (int i = 0; i < 5000; ++i) count_on(pool, count, captured);
  }
  EXPECT_EQ(count, 5000);
  EXPECT_EQ(captured.use_count(), 1);
}

reported<void> go_on_on(thread_pool& pool) { co_await pool.schedule(); }
TEST(pool_schedule, a_pool_that_was_stopped_refuses) {
  thread_pool pool{of_workers(1)};
  pool.stop();
  EXPECT_THROW(go_on_on(pool).end.get(), pool_stopped);
}

reported<void> take_turns(thread_pool& pool, std::atomic<int>& turns, int most) {
  for (int i = 0; i < most; ++i) {
    co_await pool.schedule();
    turns.fetch_add(1);
  }
}
TEST(pool_schedule, many_coroutines_share_workers) {
  thread_pool pool{of_workers(2)};
  std::atomic<int> turns{0};
  auto one = take_turns(pool, turns, 1000), two = take_turns(pool, turns, 1000);
  pool.call([&] { take_turns(pool, turns, 1000).end.wait_for(std::chrono::seconds{0}); });
  one.end.get();
  two.end.get();
  pool.stop();
  EXPECT_EQ(turns, 3000);
}

}  // namespace
}  // namespace fencepost
#endif
