// Threads for tests, joined together.
#pragma once

#include <thread>
#include <vector>

namespace fencepost {

class thread_group {
 public:
  thread_group() = default;
  ~thread_group() { join(); }
  thread_group(const thread_group&) = delete;
  thread_group& operator=(const thread_group&) = delete;

  // Starts threads that each run f with a number, counted from 0.
  template <class F>
  void start(unsigned count, F f) {
    for (unsigned index = 0; index < count; ++index) {
      threads_.emplace_back([f, index] { f(index); });
    }
  }
  void join() {
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace fencepost
