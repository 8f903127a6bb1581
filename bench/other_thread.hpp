// A second thread, so that the measured code runs in a multithreaded process.
#pragma once

#include <atomic>
#include <thread>

namespace fencepost::bench {

// The thread sleeps during the measurement. A process with one thread would flatter the measured
// code: there a mutex costs less than anywhere else.
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
