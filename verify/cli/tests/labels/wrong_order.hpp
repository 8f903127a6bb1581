// For the tests of `fencepost labels`: an order that is not the one in the code.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct wrong_order {
  void put() {
    // [put] seq_cst, with [get]: the code has been weakened since.
    word.store(1, std::memory_order_release);
    // [get] acquire, with [put]: as it is.
    word.load(std::memory_order_acquire);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
