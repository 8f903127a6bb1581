// Signals during an exploration: crashes of the code under test, and two clocks that check whether
// it makes progress.
#pragma once

#include <csignal>
#include <ctime>

namespace fencepost::verify {

class supervisor;

// The supervisor of the exploration that the calling OS thread is in, or null.
supervisor* supervising() noexcept;

class signal_guard {
 public:
  explicit signal_guard(supervisor*);
  ~signal_guard();
  signal_guard(const signal_guard&) = delete;
  signal_guard& operator=(const signal_guard&) = delete;

 private:
  struct timer {
    timer_t id{};
    bool runs = false;
  };
  static timer begin(clockid_t, int number, long nanoseconds);

  alignas(16) char alternate_[64 << 10];
  stack_t previous_stack_{};
  timer computing_, passing_;
};

}  // namespace fencepost::verify
