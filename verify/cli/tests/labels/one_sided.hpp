// For the tests of `fencepost labels`: partners that do not name the label back.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct one_sided {
  void put() {
    // [put] release, with [get], [right.hpp/get]: neither knows of it.
    word.store(1, std::memory_order_release);
    // [get] relaxed, alone: and yet put names it.
    word.load(std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
