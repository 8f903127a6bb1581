// Values that are wider than a word: the engine numbers them, and its events hold the numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>

#include "fencepost/verify/checked/access.hpp"

namespace fencepost::verify::detail {

// Padding bytes count as part of the value if the compiler cannot clear them.
template <class T>
value number_of(const T& v) noexcept {
  wide_value bytes = {};
  std::memcpy(&bytes, std::addressof(v), sizeof(T));
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
  alignas(T) std::byte cleared[sizeof(T)];
  std::memcpy(cleared, &bytes, sizeof(T));
  __builtin_clear_padding(reinterpret_cast<T*>(cleared));
  std::memcpy(&bytes, cleared, sizeof(T));
#endif
#endif
  return here().number_of(bytes);
}

template <class T>
T numbered(value number) noexcept {
  const wide_value bytes = here().numbered(number);
  alignas(T) std::byte raw[sizeof(T)];
  std::memcpy(raw, &bytes, sizeof(T));
  return std::bit_cast<T>(*reinterpret_cast<std::byte(*)[sizeof(T)]>(raw));
}

}  // namespace fencepost::verify::detail
