// A monotonic clock that a test sets, and a poll() that does not wait: where it would, the test
// says how the time passes; a sched_yield() that the test hears of.
//
// virtual_time.cpp defines clock_gettime(), poll() and sched_yield() for the whole program, which
// works where the program's definitions go before those of the system's libraries, as on Linux.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace fencepost {

// While it lives, on all threads; one at a time.
class virtual_time {
 public:
  // Is called for a poll() that finds nothing ready and may wait so many milliseconds, -1: without
  // end. It may pass() the time, or make something ready.
  using waiting = std::function<void(int milliseconds)>;

  // Is called for each sched_yield(), if there is one.
  using yielding = std::function<void()>;

  explicit virtual_time(waiting on_wait, yielding on_yield = {})
      : on_wait_{std::move(on_wait)}, on_yield_{std::move(on_yield)} {
    current_ = this;
  }
  ~virtual_time() { current_ = nullptr; }
  virtual_time(const virtual_time&) = delete;
  virtual_time& operator=(const virtual_time&) = delete;

  void pass(std::chrono::nanoseconds time) { now_ += time; }

  static const virtual_time* current() { return current_; }
  std::chrono::nanoseconds now() const { return now_; }
  void wait(int milliseconds) const { on_wait_(milliseconds); }
  void yield() const {
    if (on_yield_) on_yield_();
  }

 private:
  static inline virtual_time* current_ = nullptr;
  waiting on_wait_;
  yielding on_yield_;
  std::chrono::nanoseconds now_ = std::chrono::hours{1};
};

}  // namespace fencepost
