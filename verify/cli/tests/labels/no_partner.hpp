// For the tests of `fencepost labels`: partners that do not exist.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct no_partner {
  void put() {
    // [here] relaxed, with [gone]: not in this file.
    word.store(1, std::memory_order_relaxed);
    // [there] relaxed, with [right.hpp/gone]: not in that file.
    word.store(1, std::memory_order_relaxed);
    // [nowhere] relaxed, with [gone.hpp/put]: no such file.
    word.store(1, std::memory_order_relaxed);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
