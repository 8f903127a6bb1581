// The stack of a model thread, and below it one on which the engine works for it; guard pages below
// both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "execute/address_sanitizer.hpp"

namespace fencepost::verify {

class fiber_stack {
 public:
  fiber_stack() = default;
  ~fiber_stack();
  fiber_stack(const fiber_stack&) = delete;
  fiber_stack& operator=(const fiber_stack&) = delete;

  void reserve(std::size_t bytes, unsigned thread);
  void make_executable();
  [[nodiscard]] void* top() const noexcept { return bottom() + size_; }
  [[nodiscard]] char* bottom() const noexcept { return base_ + 2 * guard_ + engine_size; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  // Fills the upper end of the stack, for a program that reads what it has not written.
  void fill(unsigned char byte) noexcept {
    constexpr std::size_t most = 16 << 10;
    const std::size_t part = size_ < most ? size_ : most;
    unpoison(bottom(), size_);
    std::memset(static_cast<char*>(top()) - part, byte, part);
  }
  [[nodiscard]] void* engine_top() const noexcept { return base_ + guard_ + engine_size; }
  // Both stacks and the guard between them: AddressSanitizer sees them as one.
  [[nodiscard]] void* whole() const noexcept { return base_ + guard_; }
  [[nodiscard]] std::size_t whole_size() const noexcept { return engine_size + guard_ + size_; }
  [[nodiscard]] bool guards(const void* p) const noexcept {
    return base_ != nullptr && p >= base_ && p < bottom() &&
           !(p >= base_ + guard_ && p < engine_top());
  }
  [[nodiscard]] bool contains(const void* p) const noexcept {
    return base_ != nullptr && p >= bottom() && p < top();
  }

  static constexpr std::size_t engine_size = std::size_t{256} << 10U;

 private:
  char* base_ = nullptr;
  std::size_t guard_ = 0;
  std::size_t size_ = 0;
};

}  // namespace fencepost::verify
