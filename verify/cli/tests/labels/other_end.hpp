// For the tests of `fencepost labels`: the other end of right.hpp.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct other_end {
  int look() {
    // [look] acquire, with [right.hpp/put]: sees what was before the store.
    return word.load(std::memory_order_acquire);
  }
  void fence_between() {
    // [fence] seq_cst, with [right.hpp/fence]: store buffering.
    std::atomic_thread_fence(std::memory_order_seq_cst);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
