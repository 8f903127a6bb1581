// The task runner where it waits for objects of Windows. ci/windows builds it, and runs it under
// Wine.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "fencepost/runtime/task_runner.hpp"

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

namespace fencepost {
namespace {

using namespace std::chrono_literals;

// An event object, signalled until it is reset or, if it resets itself, until a wait consumes the
// signal.
class event_object {
 public:
  explicit event_object(bool resets_itself)
      : handle_(CreateEventW(nullptr, resets_itself ? FALSE : TRUE, FALSE, nullptr)) {}
  ~event_object() { close(); }
  event_object(const event_object&) = delete;
  event_object& operator=(const event_object&) = delete;

  HANDLE handle() const { return handle_; }
  void set() const { SetEvent(handle_); }
  void reset() const { ResetEvent(handle_); }
  void close() {
    if (handle_ != nullptr) CloseHandle(handle_);
    handle_ = nullptr;
  }

 private:
  HANDLE handle_;
};

TEST(task_runner_on_windows, posts_of_other_threads_wake_it) {
  constexpr int threads = 4;
  constexpr int each = 2000;
  task_runner runner;
  int seen = 0;
  std::vector<std::thread> posters;
  for (int t = 0; t < threads; ++t) {
    posters.emplace_back([&] {
      for (int i = 0; i < each; ++i) {
        runner.post([&] {
          if (++seen == threads * each) runner.quit();
        });
        if (i % 500 == 0) std::this_thread::sleep_for(5ms);  // so that the runner sleeps as well
      }
    });
  }
  runner.run();
  for (std::thread& t : posters) t.join();
  EXPECT_EQ(seen, threads * each);
}

TEST(task_runner_on_windows, delayed_tasks_run_in_the_order_of_their_times) {
  task_runner runner;
  std::vector<int> order;
  runner.post_delayed([&] { order.push_back(2); }, 20ms);
  runner.post_delayed([&] { order.push_back(1); }, 5ms);
  runner.post_delayed([&] { runner.quit(); }, 40ms);
  const auto began = std::chrono::steady_clock::now();
  runner.run();
  EXPECT_GE(std::chrono::steady_clock::now() - began, 40ms);
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST(task_runner_on_windows, a_watch_runs_once_for_each_signal) {
  task_runner runner;
  const event_object event{/*resets_itself=*/true};
  int seen = 0;
  runner.add_watch(event.handle(), [&](watch_events how) {
    EXPECT_TRUE(how.readable);
    ++seen;
  });
  event.set();
  runner.run_until_idle();
  runner.run_until_idle();
  EXPECT_EQ(seen, 1);
  event.set();
  runner.run_until_idle();
  EXPECT_EQ(seen, 2);
}

TEST(task_runner_on_windows, an_event_that_stays_signalled_hides_no_other) {
  task_runner runner;
  const event_object always{false};
  const event_object late{true};
  int first = 0;
  int second = 0;
  runner.add_watch(always.handle(), [&](watch_events) { ++first; });
  runner.add_watch(late.handle(), [&](watch_events) {
    ++second;
    runner.quit();
  });
  always.set();
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    late.set();
  });
  runner.run();
  other.join();
  EXPECT_GT(first, 1);
  EXPECT_EQ(second, 1);
}

TEST(task_runner_on_windows, a_watch_that_was_removed_does_not_run) {
  task_runner runner;
  const event_object event{false};
  int seen = 0;
  runner.add_watch(event.handle(), [&](watch_events) {
    ++seen;
    runner.remove_watch(event.handle());
  });
  event.set();
  for (int i = 0; i < 3; ++i) runner.run_until_idle();
  EXPECT_EQ(seen, 1);
}

TEST(task_runner_on_windows, a_handle_that_was_closed_is_reported_once) {
  task_runner runner;
  event_object event{false};
  int closed = 0;
  runner.add_watch(event.handle(), [&](watch_events how) { closed += how.closed ? 1 : 0; });
  event.close();
  for (int i = 0; i < 3; ++i) runner.run_until_idle();
  EXPECT_EQ(closed, 1);
}

TEST(task_runner_on_windows, what_cannot_be_watched_is_refused) {
  task_runner runner;
  EXPECT_THROW(runner.add_watch(nullptr, [](watch_events) {}), std::invalid_argument);
  EXPECT_THROW(runner.add_watch(INVALID_HANDLE_VALUE, [](watch_events) {}), std::invalid_argument);
  const event_object event{false};
  EXPECT_THROW(runner.add_watch(
                   event.handle(), [](watch_events) {}, watch_for::writing),
               std::invalid_argument);
  runner.run_until_idle();  // this thread is now the runner's
  runner.add_watch(event.handle(), [](watch_events) {});
  EXPECT_THROW(runner.add_watch(event.handle(), [](watch_events) {}), std::invalid_argument);
  std::vector<std::unique_ptr<event_object>> more;
  for (int i = 1; i < 63; ++i) {
    more.push_back(std::make_unique<event_object>(false));
    runner.add_watch(more.back()->handle(), [](watch_events) {});
  }
  const event_object one_more{false};
  EXPECT_THROW(runner.add_watch(one_more.handle(), [](watch_events) {}), std::length_error);
  runner.run_until_idle();
}

}  // namespace
}  // namespace fencepost
