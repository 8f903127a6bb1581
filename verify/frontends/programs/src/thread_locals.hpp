// The thread_local variables of the program: each thread has its own, at addresses of its own,
// fresh in each execution. A thread finds them by the register that points to what the C library
// keeps of it: so each has a copy of that, too. On x86-64 they are below it, on AArch64 above.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "graph/clock.hpp"

namespace fencepost::programs {

class thread_locals {
 public:
  // Those of the program that runs. To be called on the thread that will run the fibers.
  thread_locals();
  ~thread_locals();
  thread_locals(const thread_locals&) = delete;
  thread_locals& operator=(const thread_locals&) = delete;

  // Are there any?
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  // False: there are, but this system cannot give them to each thread.
  [[nodiscard]] bool can_be_used() const noexcept { return empty() || memory_ != nullptr; }

  // The thread that is running gets its own, as they are at first.
  void begin(unsigned thread) const;
  [[nodiscard]] std::span<char> of(unsigned thread) const noexcept {
    return {pointer(thread) + begin_, size_};
  }
  // The same with what libraries have for the thread.
  [[nodiscard]] std::span<char> all_of(unsigned thread) const noexcept {
    return {pointer(thread) + all_.begin, pointer(thread) + all_.end};
  }
  [[nodiscard]] bool contains(const void* p) const noexcept {
    return offset(p) < std::size_t{verify::max_threads} * stride_;
  }
  [[nodiscard]] unsigned owner(const void* p) const noexcept {
    return static_cast<unsigned>(offset(p) / stride_);
  }
  // What is there when the thread begins.
  [[nodiscard]] verify::wide_value initial(const void* p, std::size_t size) const noexcept;

 private:
  // Of bytes, from the pointer on: less than 0 is below it.
  struct range {
    std::ptrdiff_t begin = 0, end = 0;
  };

  [[nodiscard]] std::size_t offset(const void* p) const noexcept {
    return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(memory_);
  }
  [[nodiscard]] char* pointer(unsigned thread) const noexcept {
    return memory_ + thread * stride_ + below_;
  }

  std::size_t size_ = 0;       // of the program's
  std::ptrdiff_t begin_ = 0;   // where they begin, from the pointer on
  std::vector<char> initial_;  // the bytes that are not zero
  char* own_ = nullptr;        // the pointer of the system's thread
  range all_;                  // of variables
  range copied_;               // with it
  std::size_t below_ = 0;      // the pointer, of a thread's share of the memory
  std::size_t stride_ = 0;
  char* memory_ = nullptr;
};

}  // namespace fencepost::programs
