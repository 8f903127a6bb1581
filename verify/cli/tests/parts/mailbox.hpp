// A component for the tests of `fencepost necessity`: an order for each kind of verdict.
#pragma once

#include <atomic>

namespace fencepost::cli::parts {

template <class P>
class mailbox {
 public:
  void send(int message) {
    slot_.set(message);
    ready_.store(1, std::memory_order_release);
    P::fence(std::memory_order_seq_cst);
  }
  bool receive(int& message) {
    if (ready_.load(std::memory_order_acquire) == 0) return false;
    message = slot_.get();
    return true;
  }
  // kept acquire: a reason that stands above.
  bool is_full() { return ready_.load(std::memory_order_acquire) != 0; }
  bool take() {
    int full = 1;
    return ready_.compare_exchange_strong(full, 2, std::memory_order_relaxed,
                                          std::memory_order_relaxed);
  }
  int peek() { return ready_.load(std::memory_order_relaxed); }
  void forgotten() { ready_.store(0, std::memory_order_release); }
  void spare() {
    // kept unexercised: nobody calls it, and that is known.
    ready_.store(0, std::memory_order_release);
  }

 private:
  typename P::template plain<int> slot_{0};
  typename P::template atomic<int> ready_{0};
};

}  // namespace fencepost::cli::parts
