// For the tests of `fencepost labels`: a label that names no operation.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct no_operation {
  int get() {
    // [get] relaxed, alone: what it named is gone.
    return 1;
  }
  // [far] relaxed, alone: too far from what comes below.

  int other() {
    // [left], [right], [third] relaxed, alone: one too many.
    return word.load(std::memory_order_relaxed) + word.load(std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
