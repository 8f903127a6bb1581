// For the tests of `fencepost labels`: two operations and one label.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct too_few {
  int sum() {
    // [left] relaxed, alone: the right one has none.
    return word.load(std::memory_order_relaxed) + word.load(std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
