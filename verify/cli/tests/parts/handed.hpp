// A component for the tests of `fencepost necessity` with an order that is needed only under xc20.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class handed {
 public:
  int look_and_free() {
    const int seen = item_.load(std::memory_order_relaxed);
    // kept release: against load buffering, or the item is seen as it is after it was taken.
    free_.store(true, std::memory_order_release);
    return seen;
  }
  void take() {
    if (free_.load(std::memory_order_relaxed)) item_.store(1, std::memory_order_relaxed);
  }

 private:
  typename P::template atomic<int> item_{0};
  typename P::template atomic<bool> free_{false};
};

}  // namespace fencepost::cli::parts
