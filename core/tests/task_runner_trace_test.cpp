// What a traced_task_runner records: its tasks, timers and watches, its sleeps, and the wakes that
// it and others give.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "trace_reader.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using namespace traces;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

static_assert(sizeof(task_runner) < sizeof(traced_task_runner));
static_assert(std::is_empty_v<decltype(task_runner::span(""))>);

std::vector<std::string> names_of(const std::vector<event>& events) {
  std::vector<std::string> names;
  for (const event& each : events) names.push_back(each.name);
  return names;
}

// The events of the runner's thread, without its sleeps unless they are requested.
std::vector<event> events_of(const traced_task_runner& runner, bool sleeps = false) {
  auto threads = read(written({runner.trace()}));
  if (threads.size() != 1) throw std::runtime_error{"not one thread"};
  auto& events = threads[0].events;
  if (!sleeps) std::erase_if(events, [](const event& each) { return each.category == "park"; });
  return events;
}

TEST(task_runner_trace, each_task_and_each_timer_is_there) {
  traced_task_runner runner;
  runner.post([&] {  // however late the timers are, they come after this
    const auto named = traced_task_runner::span("mine");
    runner.post_delayed([] {}, 1ms);
    runner.post_delayed([&] { runner.quit(); }, 2ms);
  });
  runner.run();
  EXPECT_THAT(names_of(events_of(runner)), ElementsAre("task", "mine", "timer", "timer", "task"));
  const auto threads = read(written({runner.trace()}));
  EXPECT_EQ(threads[0].process, "task_runner");
  EXPECT_EQ(threads[0].name, "task_runner");
}

#if defined(__cpp_lib_jthread)
TEST(task_runner_trace, each_turn_of_a_repeating_timer_is_there) {
  traced_task_runner runner;
  std::stop_source enough;
  int turns = 0;
  runner.post_repeating(
      enough.get_token(),
      [&] {
        if (++turns < 3) return;
        enough.request_stop();
        runner.quit();
      },
      1ms);
  runner.run();
  EXPECT_THAT(names_of(events_of(runner)), ElementsAre("timer", "timer", "timer", "task"));
}
#endif

TEST(task_runner_trace, a_watch_has_its_name) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  traced_task_runner runner;
  runner.add_watch(ends[0], [&](watch_events) {
    runner.remove_watch(ends[0]);
    runner.quit();
  });
  runner.run();
  ::close(ends[0]);
  ::close(ends[1]);
  // A task added the watch, since no thread was the runner's yet.
  EXPECT_THAT(names_of(events_of(runner)), ElementsAre("task", "watch", "task"));
}

TEST(task_runner_trace, a_sleep_ends_after_the_wake_of_another_runner) {
  traced_task_runner sleeper{{.traced_as = "sleeper"}}, waker{{.traced_as = "waker"}};
  std::thread other{[&] { sleeper.run(); }};
  // The sleeper sleeps sooner or later, and then a post wakes it.
  while (all_of(read(written({waker.trace()})), "wake").empty()) {
    waker.post([&] { sleeper.post([] {}); });
    waker.run_until_idle();
    std::this_thread::sleep_for(1ms);
  }
  sleeper.quit();
  other.join();
  const auto threads = read(written({sleeper.trace(), waker.trace()}));
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads[0].name, "sleeper");
  EXPECT_EQ(threads[1].name, "waker");
  const auto wakes = all_of({threads[1]}, "wake");
  ASSERT_THAT(wakes, SizeIs(1));
  EXPECT_FALSE(wakes[0].arguments.contains("thread"));
  bool within = false;
  for (const event& each : all_of({threads[0]}, "park")) {
    within |= each.begin <= wakes[0].begin && wakes[0].end <= each.end;
  }
  EXPECT_TRUE(within) << "no sleep of the woken thread lasts from before the wake until after it";
}

// Repeats until the runner was asleep: a round that finds it awake shows nothing.
TEST(task_runner_trace, a_worker_of_a_pool_that_wakes_a_runner_is_seen) {
  std::vector<event> wakes;
  while (wakes.empty()) {
    traced_task_runner runner;
    traced_thread_pool pool{{.workers = 1}};
    runner.post([&] {
      pool.post([&] {
        std::this_thread::sleep_for(5ms);
        runner.quit();
      });
    });
    runner.run();
    pool.stop();
    wakes = all_of(read(written({pool.trace()})), "wake");
  }
  EXPECT_FALSE(wakes.at(0).arguments.contains("thread")) << "a runner is no worker of the pool";
}

TEST(task_runner_trace, a_worker_of_a_pool_that_a_runner_wakes_is_not_taken_for_the_runner) {
  std::vector<event> wakes;
  while (wakes.empty()) {
    traced_thread_pool pool{{.workers = 1}};
    traced_task_runner runner;
    runner.post([&] {
      std::this_thread::sleep_for(5ms);
      pool.call([] {});
    });
    runner.run_until_idle();
    wakes = all_of(read(written({runner.trace()})), "wake");
  }
  EXPECT_FALSE(wakes.at(0).arguments.contains("thread")) << wakes.at(0).arguments;
}

TEST(task_runner_trace, an_exception_ends_its_task) {
  traced_task_runner runner;
  runner.post([] { throw std::runtime_error{"of the task"}; });
  EXPECT_THROW(runner.run_until_idle(), std::runtime_error);
  EXPECT_THAT(names_of(events_of(runner)), ElementsAre("task"));
}

TEST(task_runner_trace, a_span_is_that_of_the_innermost_runtime) {
  traced_thread_pool pool{{.workers = 1}};
  traced_task_runner runner;
  runner.post([] { const auto inner = traced_task_runner::span("of the runner"); });
  pool.call([&] {
    runner.run_until_idle();
    const auto outer = traced_thread_pool::span("of the pool");
  });
  pool.stop();
  EXPECT_THAT(names_of(all_of(read(written({pool.trace()})), "span")), ElementsAre("of the pool"));
  EXPECT_THAT(names_of(events_of(runner)), ElementsAre("task", "of the runner"));
  { const auto outside = traced_task_runner::span("outside"); }
  EXPECT_THAT(names_of(events_of(runner)), ElementsAre("task", "of the runner"));
}

TEST(task_runner_trace, can_be_read_within_a_task) {
  traced_task_runner runner;
  std::vector<std::string> names;
  runner.post([] {});
  runner.post([&] { names = names_of(events_of(runner)); });
  runner.run_until_idle();
  EXPECT_THAT(names, ElementsAre("task"));
}

TEST(task_runner_trace, of_a_runner_that_runs_is_refused_elsewhere) {
  traced_task_runner runner;
  EXPECT_THAT(runner.trace().threads.at(0).events, IsEmpty());
  std::string said = "nothing was thrown";
  runner.post([&] {
    std::thread{[&] {
      try {
        static_cast<void>(runner.trace());
      } catch (const std::logic_error& error) {
        said = error.what();
      }
    }}.join();
  });
  runner.run_until_idle();
  EXPECT_THAT(said, HasSubstr("post a task that calls it"));
  std::thread{[&] { EXPECT_THAT(runner.trace().threads.at(0).events, SizeIs(1)); }}.join();
}

TEST(task_runner_trace, the_last_events_are_kept) {
  traced_task_runner runner{{.trace_events = 3}};
  for (int n = 0; n < 10; ++n) runner.post([] {});
  runner.run_until_idle();
  EXPECT_THAT(runner.trace().threads.at(0).events, SizeIs(3));
  EXPECT_EQ(runner.trace().threads.at(0).lost, 7u);
  EXPECT_NO_THROW(task_runner{{.trace_events = 0}});
  EXPECT_THROW(traced_task_runner{{.trace_events = 0}}, std::invalid_argument);
}

}  // namespace
}  // namespace fencepost
