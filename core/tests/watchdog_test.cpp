// The watchdog: what it concludes from its looks, at times that the test sets; and on real threads,
// where a task that takes too long waits until it has been reported, so that no test depends on how
// long that takes.
#include "fencepost/runtime/watchdog.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <future>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../src/watchdog_look.hpp"
#include "fencepost/runtime/task_runner.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using clock = watchdog::clock;

constexpr clock::time_point start{1000h};

// Each look takes 2 ms, and reads the number in the middle.
std::optional<clock::time_point> at(watchdog_look& look, std::uint64_t number,
                                    clock::duration when) {
  return look(number, start + when - 1ms, start + when + 1ms, 100ms);
}

TEST(watchdog_look, a_task_is_told_once_when_it_has_lasted_for_the_limit) {
  watchdog_look look;
  EXPECT_EQ(at(look, 1, 0ms), std::nullopt);
  EXPECT_EQ(at(look, 1, 50ms), std::nullopt);
  // From the end of the first look to the beginning of this one, less than the limit has passed.
  EXPECT_EQ(at(look, 1, 101ms), std::nullopt);
  EXPECT_EQ(at(look, 1, 102ms), start + 1ms);
  EXPECT_EQ(at(look, 1, 500ms), std::nullopt);
}

TEST(watchdog_look, short_tasks_are_not_taken_for_a_long_one) {
  watchdog_look look;
  std::uint64_t number = 1;
  for (auto when = 0ms; when < 10s; when += 90ms, number += 2) {
    EXPECT_EQ(at(look, number, when), std::nullopt);
  }
}

TEST(watchdog_look, a_thread_without_a_task_is_not_told) {
  watchdog_look look;
  EXPECT_EQ(at(look, 0, 0ms), std::nullopt);
  EXPECT_EQ(at(look, 0, 1h), std::nullopt);
  EXPECT_EQ(at(look, 2, 2h), std::nullopt);
  EXPECT_EQ(at(look, 2, 3h), std::nullopt);
}

TEST(watchdog_look, the_next_task_is_told_as_well) {
  watchdog_look look;
  at(look, 1, 0ms);
  EXPECT_EQ(at(look, 1, 200ms), start + 1ms);
  EXPECT_EQ(at(look, 3, 300ms), std::nullopt);
  EXPECT_EQ(at(look, 3, 500ms), start + 301ms);
}

// Collects the reports, and lets tasks wait for them.
class reports {
 public:
  watchdog::handler handler() {
    return [this](const watchdog_report& report) {
      const std::lock_guard lock{mutex_};
      all_.push_back(report);
      number_ = all_.size();
      number_.notify_all();
    };
  }
  void wait_for(std::size_t number) {
    for (std::size_t now = number_; now < number; now = number_) number_.wait(now);
  }
  std::vector<watchdog_report> all() {
    const std::lock_guard lock{mutex_};
    return all_;
  }

 private:
  std::mutex mutex_;
  std::vector<watchdog_report> all_;
  std::atomic<std::size_t> number_{0};
};

TEST(watchdog, says_whose_task_it_is_and_since_when) {
  reports told;
  watchdog dog{1ms, told.handler()};
  watchdog::subject me{dog, "me"};
  const auto before = clock::now();
  clock::time_point after;
  {
    const watchdog::task long_one{me};
    told.wait_for(1);
    after = clock::now();
  }
  ASSERT_EQ(told.all().size(), 1U);
  const auto report = told.all().front();
  EXPECT_EQ(report.who, "me");
  EXPECT_GE(report.since, before);
  EXPECT_LE(report.since, after - report.limit);
  EXPECT_EQ(report.limit, 1ms);
#ifdef __linux__
  EXPECT_EQ(report.thread, static_cast<std::uint64_t>(::gettid()));
#endif
}

TEST(watchdog, a_task_within_a_task_is_a_part_of_it) {
  reports told;
  watchdog dog{1ms, told.handler()};
  watchdog::subject me{dog, "me"};
  const watchdog::task outer{me};
  { const watchdog::task inner{me}; }
  told.wait_for(1);  // a report of the outer task
}

TEST(watchdog, of_several_threads_the_slow_one_is_told) {
  reports told;
  watchdog dog{1ms, told.handler()};
  watchdog::subject idle{dog, "idle"};
  std::thread other{[&] {
    watchdog::subject slow{dog, "slow"};
    const watchdog::task long_one{slow};
    told.wait_for(1);
  }};
  other.join();
  for (const auto& each : told.all()) EXPECT_EQ(each.who, "slow");
}

TEST(watchdog, tasks_within_the_limit_are_not_told) {
  reports told;
  {
    watchdog dog{1h, told.handler()};
    task_runner runner{{.watched_by = &dog}};
    for (int i = 0; i < 1000; ++i) runner.post([] {});
    runner.run_until_idle();
  }
  EXPECT_EQ(told.all().size(), 0U);
}

TEST(watchdog, sees_the_tasks_of_a_runner_and_those_that_are_delayed_and_its_watches) {
  reports told;
  watchdog dog{1ms, told.handler()};
  task_runner runner{{.watched_by = &dog, .watched_as = "events"}};
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "x", 1), 1);
  // Each of them waits until there are as many reports as tasks that have begun.
  std::size_t begun = 0;
  const auto wait = [&] { told.wait_for(++begun); };
  std::uint64_t thread = 0;
  std::thread own{[&] {
#ifdef __linux__
    thread = static_cast<std::uint64_t>(::gettid());
#endif
    runner.post(wait);
    runner.post_delayed(wait, 0ms);
    runner.add_watch(ends[0], [&](watch_events) {
      wait();
      runner.remove_watch(ends[0]);
    });
    runner.run_until_idle();
  }};
  own.join();
  ::close(ends[0]);
  ::close(ends[1]);
  ASSERT_EQ(told.all().size(), 3U);
  for (const auto& each : told.all()) {
    EXPECT_EQ(each.who, "events");
    EXPECT_EQ(each.thread, thread);
  }
}

TEST(watchdog, a_task_that_throws_has_ended) {
  reports told;
  watchdog dog{1ms, told.handler()};
  task_runner runner{{.watched_by = &dog}};
  runner.post([] { throw std::runtime_error("no"); });
  EXPECT_THROW(runner.run_until_idle(), std::runtime_error);
  // Otherwise this task would count as part of the one before, and its report would have an earlier
  // time.
  const auto begin = clock::now();
  runner.post([&] {
    for (std::size_t reported = 1;; ++reported) {
      told.wait_for(reported);
      if (told.all().back().since >= begin) return;
    }
  });
  runner.run_until_idle();
}

TEST(watchdog, subjects_come_and_go_while_it_looks) {
  reports told;
  watchdog dog{1ms, told.handler()};
  const auto come_and_go = [&] {
    for (int i = 0; i < 2000; ++i) {
      watchdog::subject brief{dog, "brief"};
      const watchdog::task one{brief};
    }
  };
  std::thread other{come_and_go};
  come_and_go();
  other.join();
}

TEST(watchdog, the_handler_may_wait_for_a_subject_that_goes) {
  std::promise<void> gone;
  reports told;
  watchdog dog{1ms, [&, keep = told.handler()](const watchdog_report& report) {
                 keep(report);
                 gone.get_future().wait();
               }};
  {
    watchdog::subject me{dog, "me"};
    const watchdog::task long_one{me};
    told.wait_for(1);
  }
  gone.set_value();
}

TEST(watchdog, a_log_is_a_line_on_stderr) {
  testing::internal::CaptureStderr();
  watchdog::log({"events", 42, clock::now() - 1h, 3min});
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              AllOf(HasSubstr("fencepost::watchdog: events: a task has been running for 36"),
                    HasSubstr("on thread 42, and the limit is 180000 ms\n")));
}

TEST(watchdog, wrong_limits_and_handlers_are_refused) {
  EXPECT_THROW((watchdog{0ms, &watchdog::log}), std::invalid_argument);
  EXPECT_THROW((watchdog{-1ms, &watchdog::log}), std::invalid_argument);
  EXPECT_THROW((watchdog{1ms, nullptr}), std::invalid_argument);
}

// These must end the process. They are functions, since arguments of a macro cannot have commas.
void run_for_ever() {
  watchdog dog{1ms};
  task_runner runner{{.watched_by = &dog}};
  runner.post([] {
    for (;;) ::pause();
  });
  runner.run();
}

void go_before_a_subject() {
  std::optional<watchdog> dog{std::in_place, 1h, &watchdog::log};
  const watchdog::subject me{*dog, "me"};
  dog.reset();
}

TEST(watchdog_deathtest, by_default_a_task_that_takes_too_long_ends_the_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_for_ever(), testing::KilledBySignal(SIGABRT),
              "task_runner: a task has been running for");
}

TEST(watchdog_deathtest, it_is_not_destroyed_before_what_it_watches) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(go_before_a_subject(), "destroyed before a subject");
}

#ifdef __linux__
// The handler of a signal runs on the thread that the signal is for.
std::atomic<pid_t> slow_thread{0};
void tell_whose_signal_it_is(int) { ::_exit(::gettid() == slow_thread.load() ? 7 : 8); }

void run_for_ever_beside_others() {
  std::signal(SIGABRT, tell_whose_signal_it_is);
  watchdog dog{1ms};
  std::thread slow{[&] {
    slow_thread = ::gettid();
    watchdog::subject me{dog, "me"};
    const watchdog::task long_one{me};
    for (;;) ::pause();
  }};
  slow.join();
}

TEST(watchdog_deathtest, the_signal_is_for_the_thread_of_the_task) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_for_ever_beside_others(), testing::ExitedWithCode(7),
              "me: a task has been running for");
}
#endif

}  // namespace
}  // namespace fencepost
