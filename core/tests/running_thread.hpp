// A thread that runs a task runner, for tests in which other threads use the runner.
#pragma once

#include <thread>

#include "fencepost/runtime/task_runner.hpp"

namespace fencepost {

class running_thread {
 public:
  explicit running_thread(task_runner& runner) : runner_(runner), thread_([&] { runner.run(); }) {}
  ~running_thread() { stop(); }
  running_thread(const running_thread&) = delete;
  running_thread& operator=(const running_thread&) = delete;
  void stop() {
    if (!thread_.joinable()) return;
    runner_.quit();
    thread_.join();
  }

 private:
  task_runner& runner_;
  std::thread thread_;
};

}  // namespace fencepost
