// What an object of the checker's policy holds of itself: its location.
#pragma once

#include <cstdint>
#include <type_traits>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify::detail {

[[noreturn]] void report_overwritten(source_location);

// An object's location, as the object holds it; its lifetime is the object's. When the object is
// gone and its memory was used for something else, that shows.
class handle {
 public:
  // Of a static object, which each exploration finds by its address.
  constexpr handle() noexcept = default;
  explicit handle(location l) noexcept : at_(l), seal_(seal()) {}
  constexpr ~handle() {
    if (!std::is_constant_evaluated()) retire();
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  [[nodiscard, gnu::always_inline]] location get(source_location where) const {
    if (seal_ != seal()) report_overwritten(where);
    return at_;
  }
  [[nodiscard]] constexpr bool is_static() const noexcept {
    return at_ == no_location && seal_ == 0;
  }
  // For destructors, which may run when no check does, or on memory that is something else by now.
  [[nodiscard]] engine* alive() const noexcept {
    return seal_ == seal() ? engine::current() : nullptr;
  }
  [[nodiscard]] location get() const noexcept { return at_; }

 private:
  void retire() const {
    engine* e = engine::current();
    if (e != nullptr && seal_ == seal()) e->retire(at_, {});
  }
  [[nodiscard]] std::uint32_t seal() const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    return ((at_ ^ static_cast<std::uint32_t>(address) ^ 0x5ea1ed00U) * 0x9e3779b1U) | 1U;
  }
  location at_ = no_location;
  std::uint32_t seal_ = 0;
};

}  // namespace fencepost::verify::detail
