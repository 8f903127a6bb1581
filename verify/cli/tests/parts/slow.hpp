// A component for the tests of `fencepost necessity` whose checks never end.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class slow {
 public:
  void raise() { flag_.store(1, std::memory_order_release); }

 private:
  typename P::template atomic<int> flag_{0};
};

}  // namespace fencepost::cli::parts
