// Coroutines on real pools.
#include "fencepost/runtime/pool_schedule.hpp"

#include <gtest/gtest.h>

#if defined(__cpp_lib_coroutine)
#include <atomic>
#include <concepts>
#include <coroutine>
#include <exception>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "fencepost/runtime/strand.hpp"
#include "fencepost/runtime/thread_pool.hpp"
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

// A coroutine whose promise takes what is awaited by value, and wraps it, as those of other
// libraries do.
template <class Awaitable>
struct passed_on {
  Awaitable awaited;
  auto operator co_await() && { return std::move(awaited).operator co_await(); }
};
struct wrapping {
  struct promise_type {
    wrapping get_return_object() { return {end.get_future()}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() { end.set_value(); }
    void unhandled_exception() { end.set_exception(std::current_exception()); }
    template <class Awaitable>
    passed_on<Awaitable> await_transform(Awaitable awaited) {
      return {std::move(awaited)};
    }
    std::promise<void> end;
  };
  std::future<void> end;
};
wrapping wrapped_hop(thread_pool& pool, strand& tasks) {
  co_await pool.schedule();
  EXPECT_TRUE(pool.on_worker());
  co_await tasks.schedule();
  EXPECT_TRUE(tasks.on_strand());
}
TEST(pool_schedule, what_is_awaited_can_be_passed_on_before) {
  thread_pool pool{of_workers(2)};
  strand tasks{pool};
  // Nothing happens unless it is awaited.
  [[maybe_unused]] auto later = pool.schedule();
  static_assert(std::copyable<decltype(later)>);
  for (int round = 0; round < 100; ++round) wrapped_hop(pool, tasks).end.get();
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
