// The location that an object of the checker's policy holds.
#pragma once

#include <cstdint>
#include <type_traits>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"

// The location is read even from an object whose scope has ended: the checker then shows the
// execution that led there, which AddressSanitizer could not.
#define FENCEPOST_UNSANITIZED
#if defined(__SANITIZE_ADDRESS__)
#undef FENCEPOST_UNSANITIZED
#define FENCEPOST_UNSANITIZED gnu::noinline, gnu::no_sanitize_address
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#undef FENCEPOST_UNSANITIZED
#define FENCEPOST_UNSANITIZED gnu::noinline, gnu::no_sanitize_address
#endif
#endif

namespace fencepost::verify::detail {

[[noreturn]] void report_overwritten(source_location);

// An object's location, stored in the object; its lifetime is the object's. The seal reveals that
// the object was destroyed and its memory reused.
class handle {
 public:
  // The handle of a static object, whose location each exploration finds by its address.
  constexpr handle() noexcept = default;
  explicit handle(location l) noexcept : held_{l, seal(l)} {}
  constexpr ~handle() {
    if (!std::is_constant_evaluated()) retire();
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  [[nodiscard, gnu::always_inline]] location get(source_location where) const {
    const words now = read();
    if (!is_sealed(now)) report_overwritten(where);
    return now.at;
  }
  [[nodiscard]] constexpr bool is_static() const noexcept {
    const words now = read();
    return now.at == no_location && now.seal == 0;
  }
  // Null if no check is running or the memory was reused: destructors may run in either case.
  [[nodiscard]] engine* alive() const noexcept {
    return is_sealed(read()) ? engine::current() : nullptr;
  }
  [[nodiscard]] location get() const noexcept { return read().at; }

 private:
  struct words {
    location at = no_location;
    std::uint32_t seal = 0;
  };

  [[nodiscard, FENCEPOST_UNSANITIZED]] constexpr words read() const noexcept { return held_; }
  void retire() const {
    engine* e = engine::current();
    const words now = read();
    if (e != nullptr && is_sealed(now)) e->retire(now.at, {});
  }
  [[nodiscard]] bool is_sealed(words w) const noexcept { return w.seal == seal(w.at); }
  [[nodiscard]] std::uint32_t seal(location at) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    return ((at ^ static_cast<std::uint32_t>(address) ^ 0x5ea1ed00U) * 0x9e3779b1U) | 1U;
  }

  words held_;
};

}  // namespace fencepost::verify::detail

#undef FENCEPOST_UNSANITIZED
