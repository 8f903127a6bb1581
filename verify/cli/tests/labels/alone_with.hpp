// For the tests of `fencepost labels`: labels that are both alone and with partners.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct alone_with {
  void put() {
    // [put] relaxed, alone, with [get]: one of the two.
    word.store(1, std::memory_order_relaxed);
    // [get] relaxed, with [put], alone: one of the two.
    word.load(std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
