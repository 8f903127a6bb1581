// Converts the value of an atomic to bits, and back. The bits are the value representation, which
// compare_exchange in C++20 compares: equal values have equal bits whatever is in the padding.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include "fencepost/verify/engine.hpp"

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): for #if
#define FENCEPOST_CLEARS_PADDING 0
#ifdef __has_builtin
#if __has_builtin(__builtin_clear_padding)
#undef FENCEPOST_CLEARS_PADDING
// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define FENCEPOST_CLEARS_PADDING 1
#endif
#endif

namespace fencepost::verify::detail {

// True if this byte of a T is not padding: only then can a constant expression read it.
template <class T, std::size_t Byte>
concept value_byte = requires {
  typename std::bool_constant<(
      static_cast<void>(std::bit_cast<std::array<unsigned char, sizeof(T)>>(T{})[Byte] == 0),
      true)>;
};

// For compilers without the builtin. Clears the padding of a T that has a constexpr default
// constructor; every byte of any other T counts as part of its value.
template <class T, std::size_t... Byte>
void clear_padding_bytes(unsigned char* bytes, std::index_sequence<Byte...>) noexcept {
  constexpr bool known = (value_byte<T, Byte> || ...);
  if constexpr (known) ((value_byte<T, Byte> ? void() : void(bytes[Byte] = 0)), ...);
}

template <class T>
value to_value(const T& v) noexcept {
  value bits = 0;
  if constexpr (std::has_unique_object_representations_v<T> || !std::is_class_v<T>) {
    std::memcpy(&bits, std::addressof(v), sizeof(T));
  } else {
    alignas(T) unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, std::addressof(v), sizeof(T));
#if FENCEPOST_CLEARS_PADDING
    __builtin_clear_padding(reinterpret_cast<T*>(bytes));
#else
    clear_padding_bytes<T>(bytes, std::make_index_sequence<sizeof(T)>());
#endif
    std::memcpy(&bits, bytes, sizeof(T));
  }
  return bits;
}

template <class T>
T from_value(value bits) noexcept {
  alignas(T) std::byte raw[sizeof(T)];
  std::memcpy(raw, &bits, sizeof(T));
  return std::bit_cast<T>(*reinterpret_cast<std::byte(*)[sizeof(T)]>(raw));
}

}  // namespace fencepost::verify::detail
