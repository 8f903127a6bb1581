// For the tests of `fencepost labels`: a label in assert(), which necessity's table leaves out.
#pragma once

#include <atomic>

namespace fencepost::cli::labels {

struct in_assert {
  void put() {
    // [checked] relaxed, alone: the table has no such place.
    assert(word.load(std::memory_order_relaxed) == 0);
  }

  std::atomic<int> word{0};
};

}  // namespace fencepost::cli::labels
