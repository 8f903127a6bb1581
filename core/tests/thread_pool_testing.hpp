// Shared by the tests of thread_pool.
#pragma once

#include <cstdint>
#include <future>

#include "fencepost/runtime/thread_pool.hpp"

namespace fencepost {

inline thread_pool_options of(std::uint32_t workers) {
  thread_pool_options options;
  options.workers = workers;
  return options;
}

// Holds jobs back until it is opened.
class door {
 public:
  void open() { promise_.set_value(); }
  void pass() const { future_.wait(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> future_{promise_.get_future()};
};

}  // namespace fencepost
