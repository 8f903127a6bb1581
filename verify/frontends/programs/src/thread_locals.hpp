// The thread_local variables of the program. Each thread has its own, at its own addresses, and
// they are initialized in each execution. A thread finds them through the register that points to
// the C library's descriptor of the thread, so each thread also has a copy of the descriptor. The
// variables are below it on x86-64, and above it on AArch64.
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
  // Finds the variables of the running program. Must be called on the OS thread that will run the
  // fibers.
  thread_locals();
  ~thread_locals();
  thread_locals(const thread_locals&) = delete;
  thread_locals& operator=(const thread_locals&) = delete;

  // True if the program has no thread_local variables.
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  // False if it has some, but this system cannot give each thread its own.
  [[nodiscard]] bool can_be_used() const noexcept { return empty() || memory_ != nullptr; }

  // Gives the running thread its own variables, with their initial values.
  void begin(unsigned thread) const;
  [[nodiscard]] std::span<char> of(unsigned thread) const noexcept {
    return {pointer(thread) + begin_, size_};
  }
  // Includes the thread's variables of libraries.
  [[nodiscard]] std::span<char> all_of(unsigned thread) const noexcept {
    return {pointer(thread) + all_.begin, pointer(thread) + all_.end};
  }
  [[nodiscard]] bool contains(const void* p) const noexcept {
    return offset(p) < std::size_t{verify::max_threads} * stride_;
  }
  [[nodiscard]] unsigned owner(const void* p) const noexcept {
    return static_cast<unsigned>(offset(p) / stride_);
  }
  // Returns the value of the variable when a thread begins.
  [[nodiscard]] verify::wide_value initial(const void* p, std::size_t size) const noexcept;

 private:
  // A range of bytes relative to the pointer: negative offsets are below it.
  struct range {
    std::ptrdiff_t begin = 0, end = 0;
  };

  [[nodiscard]] std::size_t offset(const void* p) const noexcept {
    return reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(memory_);
  }
  [[nodiscard]] char* pointer(unsigned thread) const noexcept {
    return memory_ + thread * stride_ + below_;
  }

  std::size_t size_ = 0;       // of the program's variables
  std::ptrdiff_t begin_ = 0;   // their offset from the thread pointer
  std::vector<char> initial_;  // their initialized bytes; the others are zero
  char* own_ = nullptr;        // the thread pointer of the OS thread
  range all_;                  // all variables, with those of libraries
  range copied_;               // all_ and the descriptor
  std::size_t below_ = 0;      // bytes below the pointer, in the memory of each thread
  std::size_t stride_ = 0;
  char* memory_ = nullptr;
};

}  // namespace fencepost::programs
