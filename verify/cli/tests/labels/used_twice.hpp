// For the tests of `fencepost labels`: a label that is used twice.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct used_twice {
  void put() {
    // [put] relaxed, alone: the first.
    word.store(1, std::memory_order_relaxed);
    // [put] relaxed, alone: the second.
    word.store(2, std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
