// Two threads of which one waits for the other are measured on a processor each: where the system
// puts a thread that wakes up is a matter of its own, and on a machine that is shared it is often
// the processor of its waker.
#pragma once

#include <sched.h>

#include <cstddef>

namespace fencepost::bench::peers {

// While it lives, this thread runs on the n-th of the processors that it may use, or, where there
// are fewer, on any.
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
