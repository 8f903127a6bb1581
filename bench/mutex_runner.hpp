// A task runner without a lock-free queue, as a baseline for the benchmarks: a std::deque behind a
// mutex, with Perfetto's wake-up, a write to the event when the deque was empty.
#pragma once

#include <poll.h>

#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/wake_event.hpp"

namespace fencepost::bench {

// `Task` is the callable, usually std::function.
template <class Task>
class mutex_runner {
 public:
  explicit mutex_runner(task_runner::options chosen = {}) : batch_(chosen.batch) {}

  template <class F>
  void post(F&& f) {
    bool was_empty;
    {
      const std::lock_guard lock{mutex_};
      was_empty = tasks_.empty();
      tasks_.emplace_back(std::forward<F>(f));
    }
    if (was_empty) event_.signal();
  }
  void watch(int descriptor) {
    watched_ = true;
    polled_[1] = {descriptor, POLLIN, 0};
  }
  void quit() {
    post([this] { quitting_ = true; });
  }
  void run() {
    quitting_ = false;
    for (;;) {
      for (unsigned done = 0; done < batch_; ++done) {
        std::optional<Task> next = pop();
        if (!next) break;
        (*next)();
        if (quitting_) return;
      }
      bool empty = nothing_left();
      if (empty) {
        std::this_thread::yield();
        empty = nothing_left();
      }
      if (!empty && !watched_) continue;
      polled_[0].revents = polled_[1].revents = 0;
      if (::poll(polled_, watched_ ? 2 : 1, empty ? -1 : 0) > 0) event_.clear();
    }
  }

 private:
  std::optional<Task> pop() {
    const std::lock_guard lock{mutex_};
    if (tasks_.empty()) return std::nullopt;
    std::optional<Task> next{std::move(tasks_.front())};
    tasks_.pop_front();
    return next;
  }

  bool nothing_left() {
    const std::lock_guard lock{mutex_};
    return tasks_.empty();
  }

  const unsigned batch_;
  std::mutex mutex_;
  std::deque<Task> tasks_;
  wake_event event_;
  bool quitting_ = false;
  pollfd polled_[2]{{event_.descriptor(), POLLIN, 0}, {}};
  bool watched_ = false;
};

}  // namespace fencepost::bench
