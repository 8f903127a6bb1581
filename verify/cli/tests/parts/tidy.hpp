// A component for the tests of `fencepost necessity` whose orders are all needed.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class tidy {
 public:
  void send(int message) {
    slot_.set(message);
    ready_.store(1, std::memory_order_release);
  }
  bool receive(int& message) {
    if (ready_.load(std::memory_order_acquire) == 0) return false;
    message = slot_.get();
    return true;
  }

 private:
  typename P::template plain<int> slot_{0};
  typename P::template atomic<int> ready_{0};
};

}  // namespace fencepost::cli::parts
