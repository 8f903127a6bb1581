// The task runner: each kind of misuse, and exceptions that leave a task or a watch.
#include "fencepost/runtime/task_runner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "error_of.hpp"
#include "pipe_ends.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(task_runner, empty_callables_are_refused) {
  task_runner runner;
  void (*const function)() = nullptr;
  const auto expected = AllOf(HasSubstr("task_runner::post"), HasSubstr("callable is empty"));
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(function); }), expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(std::function<void()>{}); }),
              expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(task_runner::task{}); }), expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(nullptr); }), expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post_delayed(function, 1s); }),
              HasSubstr("task_runner::post_delayed"));
  EXPECT_THAT(error_of<std::invalid_argument>(
                  [&] { runner.add_watch(0, std::function<void(watch_events)>{}); }),
              HasSubstr("task_runner::add_watch"));
  EXPECT_TRUE(runner.is_idle());
}

TEST(task_runner, wrong_descriptors_and_options_are_refused) {
  task_runner runner;
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.add_watch(-1, [](watch_events) {}); }),
              AllOf(HasSubstr("-1"), HasSubstr("not a descriptor")));
  runner.run_until_idle();  // from now on, this thread is the runner's
  pipe_ends pipe;
  runner.add_watch(pipe.read_end(), [](watch_events) {});
  EXPECT_THAT(error_of<std::invalid_argument>(
                  [&] { runner.add_watch(pipe.read_end(), [](watch_events) {}); }),
              AllOf(HasSubstr(std::to_string(pipe.read_end())), HasSubstr("watched already")));
  EXPECT_THAT(error_of<std::invalid_argument>([] { task_runner{{.batch = 0}}; }),
              HasSubstr("batch of 0"));
}

TEST(task_runner, a_second_watch_from_another_thread_ends_run) {
  task_runner runner;
  pipe_ends pipe;
  runner.add_watch(pipe.read_end(), [](watch_events) {});
  runner.add_watch(pipe.read_end(), [](watch_events) {});  // no thread is the runner's yet
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.run(); }), HasSubstr("watched already"));
  runner.run_until_idle();
}

TEST(task_runner, run_within_a_task_is_refused) {
  task_runner runner;
  std::string message;
  runner.post([&] { message = error_of<std::logic_error>([&] { runner.run(); }); });
  runner.run_until_idle();
  EXPECT_THAT(message, AllOf(HasSubstr("task_runner::run"), HasSubstr("within a task")));
  runner.post([&] { message = error_of<std::logic_error>([&] { runner.run_until_idle(); }); });
  runner.run_until_idle();
  EXPECT_THAT(message, HasSubstr("task_runner::run_until_idle"));
}

TEST(task_runner, run_on_another_thread_is_refused) {
  task_runner runner;
  runner.run_until_idle();
  std::thread other{[&] {
    EXPECT_THAT(error_of<std::logic_error>([&] { runner.run(); }),
                AllOf(HasSubstr("task_runner::run"), HasSubstr("a thread other than")));
    EXPECT_THAT(error_of<std::logic_error>([&] { return runner.is_idle(); }),
                HasSubstr("task_runner::is_idle"));
  }};
  other.join();
  runner.post([&] { runner.quit(); });
  runner.run();  // the runner still works on this thread
}

TEST(task_runner, what_a_task_throws_leaves_run) {
  task_runner runner;
  std::vector<int> ran;
  runner.post([] { throw std::runtime_error("one"); });
  runner.post([&] { ran.push_back(2); });
  runner.post_delayed([] { throw std::runtime_error("three"); }, 0s);
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run(); }), "one");
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run(); }), "three");
  EXPECT_THAT(ran, ElementsAre(2));
  runner.quit();
  runner.run();
}

TEST(task_runner, a_watch_that_throws_stays) {
  task_runner runner;
  pipe_ends pipe;
  pipe.write();
  int ran = 0;
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    if (++ran == 1) throw std::runtime_error("once");
    pipe.read();
  });
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run_until_idle(); }), "once");
  runner.run_until_idle();
  EXPECT_EQ(ran, 2);
}

}  // namespace
}  // namespace fencepost
