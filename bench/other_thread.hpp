// A thread beside the one that is measured.
#pragma once

#include <atomic>
#include <thread>

namespace fencepost::bench {

// A thread that sleeps meanwhile: in a process of one thread a mutex costs less than anywhere else.
class other_thread {
 public:
  ~other_thread() {
    done_.store(true, std::memory_order_release);
    done_.notify_one();
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_{[this] { done_.wait(false, std::memory_order_acquire); }};
};

}  // namespace fencepost::bench
