// Pins threads to processors. When one thread waits for another, the two are measured on different
// processors: where the system puts a thread that wakes up is a separate question, and on a shared
// machine it is often the processor of its waker.
#pragma once

#include <sched.h>

#include <cstddef>

namespace fencepost::bench::peers {

// During its lifetime, this thread runs on the n-th of the processors that it may use, or on any if
// there are fewer.
class on_processor {
 public:
  explicit on_processor(unsigned n) noexcept {
    ::sched_getaffinity(0, sizeof before_, &before_);
    if (n >= static_cast<unsigned>(CPU_COUNT(&before_))) return;
    std::size_t processor = 0;
    while (!CPU_ISSET(processor, &before_) || n-- != 0) ++processor;
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(processor, &only);
    ::sched_setaffinity(0, sizeof only, &only);
  }
  on_processor(const on_processor&) = delete;
  on_processor& operator=(const on_processor&) = delete;
  ~on_processor() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_;
};

}  // namespace fencepost::bench::peers
