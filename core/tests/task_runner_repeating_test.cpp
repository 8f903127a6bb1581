// Repeating tasks, on a clock that the test sets.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fencepost/runtime/recurrence.hpp"
#include "fencepost/runtime/task_runner.hpp"
#include "virtual_time.hpp"

#if defined(__cpp_lib_jthread)
namespace fencepost {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;
using times = std::vector<std::chrono::milliseconds>;

// A runner whose sleeps take no real time, and the time on its clock since the beginning.
struct timed_runner {
  virtual_time time{[this](int milliseconds) {
    if (milliseconds < 0) return runner.quit();              // nothing would ever wake it
    time.pass(std::chrono::milliseconds{milliseconds - 1});  // the runner has rounded up by one
  }};
  clock::time_point begin = clock::now();
  task_runner runner;

  std::chrono::milliseconds now() const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - begin);
  }
};

TEST(task_runner_repeating, a_period_after_the_end_of_each_call) {
  timed_runner on;
  std::stop_source source;
  times seen;
  on.runner.post_repeating(
      source.get_token(),
      [&] {
        seen.push_back(on.now());
        on.time.pass(30ms);  // as long as the call takes
        if (seen.size() == 4) source.request_stop();
      },
      100ms);
  on.runner.run();
  EXPECT_EQ(seen, (times{100ms, 230ms, 360ms, 490ms}));
}

TEST(task_runner_repeating, at_a_rate_whatever_calls_take) {
  timed_runner on;
  std::stop_source source;
  times seen;
  on.runner.post_repeating(
      source.get_token(),
      [&] {
        seen.push_back(on.now());
        on.time.pass(seen.size() == 2 ? 250ms : 30ms);  // the second call overruns two others
        if (seen.size() == 5) source.request_stop();
      },
      100ms, repeat::at_rate);
  on.runner.run();
  EXPECT_EQ(seen, (times{100ms, 200ms, 500ms, 600ms, 700ms}));
}

TEST(task_runner_repeating, the_next_call_at_a_rate_is_always_later) {
  const clock::time_point begin{};
  recurrence when{begin, 10ns, repeat::at_rate};
  EXPECT_EQ(when.due(), begin + 10ns);
  when.ended(begin + 10ns);
  EXPECT_EQ(when.due(), begin + 20ns);
  when.ended(begin + 29ns);
  EXPECT_EQ(when.due(), begin + 30ns);
  when.ended(begin + 40ns);
  EXPECT_EQ(when.due(), begin + 50ns);
  recurrence seldom{begin, clock::duration::max(), repeat::at_rate};
  seldom.ended(clock::time_point::max());
  EXPECT_EQ(seldom.due(), clock::time_point::max());
}

TEST(task_runner_repeating, others_run_between_two_calls) {
  timed_runner on;
  std::stop_source source;
  std::string order;
  on.runner.post_repeating(
      source.get_token(),
      [&] {
        order += 'r';
        if (order.size() >= 5) source.request_stop();
      },
      10ms);
  on.runner.post_delayed([&] { order += 'a'; }, 15ms);
  on.runner.post_delayed([&] { order += 'b'; }, 35ms);
  on.runner.run();
  EXPECT_EQ(order, "rarrbr");
}

TEST(task_runner_repeating, one_that_is_asked_before_never_runs) {
  timed_runner on;
  std::stop_source source;
  const auto captured = std::make_shared<int>(1);
  on.runner.post_repeating(
      source.get_token(), [captured] { FAIL(); }, 10ms);
  source.request_stop();
  on.runner.run();
  EXPECT_EQ(on.now(), 10ms);
  EXPECT_EQ(captured.use_count(), 1) << "destroyed when it would have been due";
}

TEST(task_runner_repeating, another_thread_may_end_it) {
  task_runner runner;
  std::stop_source source;
  int calls = 0;
  std::thread other;
  const auto captured = std::make_shared<int>(1);
  runner.post_repeating(
      source.get_token(),
      [&, captured] {
        if (++calls == 3) {
          other = std::thread{[&] {
            source.request_stop();
            runner.quit();
          }};
        }
      },
      1ms);
  runner.run();
  other.join();
  EXPECT_GE(calls, 3);
  const int before = calls;
  runner.post_delayed([&] { runner.quit(); }, 20ms);
  runner.run();
  EXPECT_EQ(calls, before);
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(task_runner_repeating, takes_the_token_and_what_can_only_be_moved) {
  timed_runner on;
  std::stop_source source;
  int calls = 0;
  on.runner.post_repeating(
      source.get_token(),
      [&, moved = std::make_unique<int>(2)](const std::stop_token& token) {
        EXPECT_FALSE(token.stop_requested());
        if (++calls == *moved) source.request_stop();
      },
      std::chrono::duration<double>(0.5));
  on.runner.run();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(on.now(), 1000ms);
}

TEST(task_runner_repeating, an_exception_ends_it) {
  timed_runner on;
  const std::stop_source source;
  int calls = 0;
  on.runner.post_repeating(
      source.get_token(),
      [&] {
        if (++calls == 2) throw std::out_of_range("two");
      },
      10ms);
  EXPECT_THROW(on.runner.run(), std::out_of_range);
  on.runner.run();
  EXPECT_EQ(calls, 2);
}

TEST(task_runner_repeating, what_is_left_goes_with_the_runner) {
  const auto captured = std::make_shared<int>(1);
  const std::stop_source source;
  {
    task_runner runner;
    runner.post_repeating(
        source.get_token(), [captured] { FAIL(); }, 24h);
    runner.run_until_idle();
    EXPECT_EQ(captured.use_count(), 2);
  }
  EXPECT_EQ(captured.use_count(), 1);
}

TEST(task_runner_repeating, wrong_use_is_refused) {
  task_runner runner;
  const auto never = [] { FAIL(); };
  EXPECT_THROW(runner.post_repeating({}, never, 0ms), std::invalid_argument);
  EXPECT_THROW(runner.post_repeating({}, never, -1ms), std::invalid_argument);
  EXPECT_THROW(
      runner.post_repeating(
          {}, never, std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())),
      std::invalid_argument);
  EXPECT_THROW(runner.post_repeating({}, std::function<void()>{}, 1ms), std::invalid_argument);
  runner.run_until_idle();
}

}  // namespace
}  // namespace fencepost
#endif
