// When a task that repeats is due: a period after the end of each call, or at a rate.
//
//   after_end   |--period--| call |--period--| call |--period--|      no call is sooner than a
//                                                                     period after the last one
//   at_rate     |--period--| call   |--------| call   |--------|      at 1, 2, 3, … periods after
//                                                                     the beginning
//   a long call at a rate: |--| call···········  |--|                 what was missed is left out
//
// Threads: one thread at a time. All operations are constant-time.
#pragma once

#include <chrono>
#include <cstdint>

#include "fencepost/runtime/due_after.hpp"

namespace fencepost {

enum class repeat : std::uint8_t {
  after_end,  // the next call is due a period after the end of this one
  at_rate,    // calls are due at whole periods after the beginning; those missed are left out
};

class recurrence {
 public:
  using clock = std::chrono::steady_clock;

  // The period is positive.
  recurrence(clock::time_point begin, clock::duration period, repeat how) noexcept
      : due_{due_after(begin, period)}, period_{period}, how_{how} {}

  clock::time_point due() const noexcept { return due_; }
  // Called when a call that was due has ended.
  void ended(clock::time_point now) noexcept {
    if (how_ == repeat::after_end) {
      due_ = due_after(now, period_);
    } else {
      if (now > due_) due_ += (now - due_) / period_ * period_;
      due_ = due_after(due_, period_);
    }
  }

 private:
  clock::time_point due_;
  clock::duration period_;
  repeat how_;
};

}  // namespace fencepost
