// Stacks and switches: the model threads of an exploration, each on a stack of its own with a guard
// page below, all on one OS thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "address_sanitizer.hpp"

namespace fencepost::verify {

class fiber_stack {
 public:
  fiber_stack() = default;
  ~fiber_stack();
  fiber_stack(const fiber_stack&) = delete;
  fiber_stack& operator=(const fiber_stack&) = delete;

  void reserve(std::size_t bytes, unsigned thread);
  [[nodiscard]] void* top() const noexcept { return static_cast<char*>(base_) + guard_ + size_; }
  [[nodiscard]] void* bottom() const noexcept { return static_cast<char*>(base_) + guard_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // What was never written there is a part of its upper end.
  void fill(unsigned char byte) noexcept {
    constexpr std::size_t most = 16 << 10;
    const std::size_t part = size_ < most ? size_ : most;
    unpoison(bottom(), size_);
    std::memset(static_cast<char*>(top()) - part, byte, part);
  }
  [[nodiscard]] bool guards(const void* p) const noexcept {
    return base_ != nullptr && p >= base_ && p < static_cast<char*>(base_) + guard_;
  }
  [[nodiscard]] bool contains(const void* p) const noexcept {
    return base_ != nullptr && p >= bottom() && p < top();
  }

 private:
  void* base_ = nullptr;
  std::size_t guard_ = 0;
  std::size_t size_ = 0;
};

// What the C++ runtime knows of the exceptions of a thread; swapped with the fiber.
struct exception_state {
  void* caught = nullptr;
  unsigned uncaught = 0;
};

}  // namespace fencepost::verify
