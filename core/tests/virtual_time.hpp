// A monotonic clock that a test sets; a poll() that does not wait: where it would, the test says
// how time passes; and a sched_yield() that the test is notified of.
//
// virtual_time.cpp defines clock_gettime(), poll() and sched_yield() for the whole program, which
// works where the program's definitions precede those of the system's libraries, as on Linux.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

namespace fencepost {

// In effect on all threads while an instance exists. There may be one at a time.
class virtual_time {
 public:
  // Called for a poll() that finds nothing ready and may wait for so many milliseconds, or without
  // limit if that is -1. It may pass() the time, or make something ready.
  using waiting = std::function<void(int milliseconds)>;

  // Called for each sched_yield(), if set.
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
