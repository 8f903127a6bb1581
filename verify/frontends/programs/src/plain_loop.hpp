// A loop of plain accesses may wait for another thread, in a data race with it. So that it is known
// as one that waits, and the other thread has its turn, there is something that it reads.
#pragma once

#include <cstdint>

#include "fencepost/source_location.hpp"

namespace fencepost::programs {

// What a thread has done since its last event.
class plain_loop {
 public:
  // It makes another plain access. Is it one of many?
  [[nodiscard]] bool goes_on() noexcept { return ++silent_ >= most_silent; }
  // Should it read something before that?
  [[nodiscard]] bool has_to_look(std::uint64_t last_event, const source_location& where) {
    if (last_event_ != last_event) {
      silent_ = looks_ = 0;
      last_event_ = last_event;
      return false;
    }
    if (looks_ != 0 && where != looks_at_) return false;
    looks_at_ = where;
    return ++looks_ <= most_looks;
  }
  // It has: that was no event of the program's.
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
