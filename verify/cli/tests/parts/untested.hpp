// A component for the tests of `fencepost necessity` that no scenario uses.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class untested {
 public:
  void raise() { flag_.store(1, std::memory_order_release); }

 private:
  typename P::template atomic<int> flag_{0};
};

}  // namespace fencepost::cli::parts
