// What a thread does between two looks at something that another is about to change: at first it
// pauses, and after some looks it yields, so that the other one may have its processor.
//
// For waits that are bounded, or that end in sleep; to a checker a turn is nothing at all.
#pragma once

#include <cstdint>
#include <thread>

#include "fencepost/atomics/std_atomics.hpp"

namespace fencepost {

class patience {
 public:
  static constexpr std::uint32_t pauses = 16;

  void operator()() noexcept {
    if (turns_ < pauses) {
      ++turns_;
      std_atomics::spin_pause();
    } else {
      std::this_thread::yield();
    }
  }

 private:
  std::uint32_t turns_ = 0;
};

}  // namespace fencepost
