// For the tests of `fencepost labels`: an operation without a label.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct no_label {
  void put() {
    // Release: a reason alone is no label.
    word.store(1, std::memory_order_release);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
