// A component for the tests of `fencepost necessity` with a stale reason: its order is needed.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class stale {
 public:
  void send(int message) {
    slot_.set(message);
    ready_.store(1, std::memory_order_release);  // kept release: it is thought that nobody needs it
  }
  bool receive() {
    if (ready_.load(std::memory_order_acquire) == 0) return false;
    return slot_.get() != 0;
  }

 private:
  typename P::template plain<int> slot_{0};
  typename P::template atomic<int> ready_{0};
};

}  // namespace fencepost::cli::parts
