// A component for the tests of `fencepost necessity` whose places have labels, two of them on one
// line.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class named {
 public:
  void send(int message) {
    slot_.set(message);
    // [send.first], [send.ready] release, with [receive.ready]: the reader then sees the message.
    first_.store(message, std::memory_order_release), ready_.store(1, std::memory_order_release);
  }
  bool receive(int& message) {
    // [receive.ready] acquire, with [send.first], [send.ready]: sees what was sent.
    if (ready_.load(std::memory_order_acquire) == 0) return false;
    message = slot_.get();
    return true;
  }
  // [peek] relaxed, alone: nothing follows from it.
  int peek() { return first_.load(std::memory_order_relaxed); }

 private:
  typename P::template plain<int> slot_{0};
  typename P::template atomic<int> first_{0};
  typename P::template atomic<int> ready_{0};
};

}  // namespace fencepost::cli::parts
