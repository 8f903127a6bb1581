// A loop of plain accesses may wait for another thread, in a data race with it. To recognize this,
// and to let the other thread run, the runtime makes such a loop read something.
#pragma once

#include <cstdint>

#include "fencepost/source_location.hpp"

namespace fencepost::programs {

// What a thread has done since its last event.
class plain_loop {
 public:
  // Both are functions of their own: inlined, a count might be left in the frame of the caller. The
  // frames of turns of the loop are compared, and would differ.

  // Notes another plain access of the thread. True if there have been many since its last event.
  [[nodiscard, gnu::noinline]] bool goes_on() noexcept { return ++silent_ >= most_silent; }
  // True if the thread should read something before its access.
  [[nodiscard, gnu::noinline]] bool has_to_look(std::uint64_t last_event,
                                                const source_location& where) {
    if (last_event_ != last_event) {
      silent_ = looks_ = 0;
      last_event_ = last_event;
      return false;
    }
    if (looks_ != 0 && where != looks_at_) return false;
    looks_at_ = where;
    return ++looks_ <= most_looks;
  }
  // Notes that it has done so: that read was no event of the program's.
  void note_look(std::uint64_t last_event) noexcept { last_event_ = last_event; }

 private:
  static constexpr unsigned most_silent = 10'000;
  static constexpr unsigned most_looks = 8;

  unsigned silent_ = 0;  // plain accesses
  unsigned looks_ = 0;
  source_location looks_at_;
  std::uint64_t last_event_ = 0;
};

}  // namespace fencepost::programs
