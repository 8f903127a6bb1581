// Coroutines that move to the thread of a task_runner.
#include "fencepost/runtime/runner_schedule.hpp"

#include <gtest/gtest.h>

#if defined(__cpp_lib_coroutine)
#include <chrono>
#include <coroutine>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "fencepost/runtime/pool_schedule.hpp"
#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "of_workers.hpp"
#include "test_coroutines.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;

using test::forgotten;

forgotten say(task_runner& runner, std::string& said, std::string what) {
  co_await runner.schedule();
  EXPECT_TRUE(runner.on_runner_thread());
  said += what;
}
TEST(runner_schedule, a_coroutine_takes_its_turn_among_the_posts) {
  task_runner runner;
  std::string said;
  runner.post([&] { said += "a"; });
  say(runner, said, "b");
  runner.post([&] {
    say(runner, said, "d");
    said += "c";
  });
  EXPECT_EQ(said, "");
  runner.run_until_idle();
  EXPECT_EQ(said, "abcd");
}

forgotten sleep_on(task_runner& runner, std::string& said) {
  const auto begin = std::chrono::steady_clock::now();
  co_await runner.schedule_after(2ms);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 2ms);
  said += "later";
  runner.quit();
}
TEST(runner_schedule, a_delay_is_never_early) {
  task_runner runner;
  std::string said;
  sleep_on(runner, said);
  EXPECT_EQ(said, "");
  runner.run();
  EXPECT_EQ(said, "later");
}

// Each time is a whole number of periods after the first one, whenever the coroutine is resumed.
forgotten tick(task_runner& runner, int& ticks) {
  auto due = std::chrono::steady_clock::now();
  for (; ticks < 3; ++ticks) {
    due += 1ms;
    co_await runner.schedule_at(due);
    EXPECT_GE(std::chrono::steady_clock::now(), due);
    EXPECT_TRUE(runner.on_runner_thread());
  }
  runner.quit();
}
TEST(runner_schedule, a_time_is_never_early) {
  task_runner runner;
  int ticks = 0;
  tick(runner, ticks);
  EXPECT_EQ(ticks, 0);
  runner.run();
  EXPECT_EQ(ticks, 3);
}

forgotten come_at(task_runner& runner, std::chrono::steady_clock::time_point time,
                  std::string& said, std::string what) {
  co_await runner.schedule_at(time);
  said += what;
}
TEST(runner_schedule, coroutines_come_in_the_order_of_their_times) {
  using time = std::chrono::steady_clock::time_point;
  task_runner runner{{.batch = 4}};  // all have arrived before the first one is resumed
  std::string said;
  const time now = std::chrono::steady_clock::now();
  come_at(runner, now, said, "c");
  come_at(runner, now - 1h, said, "b");
  come_at(runner, time::min(), said, "a");
  runner.run_until_idle();
  EXPECT_EQ(said, "abc");
}

forgotten go_back_and_forth(thread_pool& pool, task_runner& runner, int rounds, int& left) {
  const auto captured = std::make_unique<int>(rounds);
  for (int i = 0; i < *captured; ++i) {
    co_await pool.schedule();
    EXPECT_TRUE(pool.on_worker());
    co_await runner.schedule();
    EXPECT_TRUE(runner.on_runner_thread());
  }
  if (--left == 0) runner.quit();
}
TEST(runner_schedule, coroutines_go_from_a_pool_to_the_runner_and_back) {
  thread_pool pool{of_workers(2)};
  task_runner runner;
  int left = 20;  // accessed by the runner's thread only
  for (int i = 0; i < 20; ++i) go_back_and_forth(pool, runner, 200, left);
  runner.run();
  EXPECT_EQ(left, 0);
}

// A coroutine whose frame the test destroys, and whose exceptions propagate.
struct owned {
  struct promise_type {
    owned get_return_object() noexcept {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() noexcept {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> frame;
};
owned fail_on(task_runner& runner) {
  co_await runner.schedule();
  throw std::runtime_error{"lost"};
}
TEST(runner_schedule, an_exception_that_the_promise_lets_pass_leaves_run) {
  task_runner runner;
  const owned failing = fail_on(runner);
  EXPECT_THROW(runner.run(), std::runtime_error);
  EXPECT_TRUE(failing.frame.done());
  failing.frame.destroy();
}

owned wait_on(task_runner& runner, std::shared_ptr<int> captured, bool& resumed) {
  co_await runner.schedule();
  resumed = captured != nullptr;
}
TEST(runner_schedule, a_runner_that_is_destroyed_leaves_the_frame_to_its_owner) {
  const auto captured = std::make_shared<int>(1);
  bool resumed = false;
  owned waiting{};
  {
    task_runner runner;
    waiting = wait_on(runner, captured, resumed);
  }
  EXPECT_FALSE(resumed);
  EXPECT_EQ(captured.use_count(), 2);
  waiting.frame.destroy();
  EXPECT_EQ(captured.use_count(), 1);
}

owned wait_an_hour(task_runner& runner, bool& resumed) {
  co_await runner.schedule_after(1h);
  resumed = true;
}
TEST(runner_schedule, a_runner_is_idle_while_a_coroutine_waits_for_its_time) {
  bool resumed = false;
  owned waiting{};
  {
    task_runner runner;
    waiting = wait_an_hour(runner, resumed);
    runner.run_until_idle();
  }
  EXPECT_FALSE(resumed);
  waiting.frame.destroy();
}

}  // namespace
}  // namespace fencepost
#endif
