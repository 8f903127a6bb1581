// The value of an atomic as bits, and back: its value representation, so that two equal values have
// equal bits whatever is in the padding. So C++20 compares in compare_exchange.
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

// A byte of a T that is not padding can be read in a constant expression.
template <class T, std::size_t Byte>
concept value_byte = requires {
  typename std::bool_constant<(
      static_cast<void>(std::bit_cast<std::array<unsigned char, sizeof(T)>>(T{})[Byte] == 0),
      true)>;
};

// For compilers without the builtin: what is known of the bytes of a T with a constexpr default
// constructor. Of another one, every byte is taken for its value's.
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
