// Operations and values in words.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

constexpr std::string_view to_string(operation o) noexcept {
  switch (o) {
    case operation::exchange: return "exchange";
    case operation::add: return "fetch_add";
    case operation::subtract: return "fetch_sub";
    case operation::bit_and: return "fetch_and";
    case operation::bit_or: return "fetch_or";
    case operation::bit_xor: return "fetch_xor";
    case operation::custom: return "fetch_op";
  }
  return "?";
}

// Small values as they are, large ones (packed words) in hexadecimal.
inline std::string number(value v) {
  if (v < 1'000'000) return std::to_string(v);
  if (static_cast<std::int32_t>(v) < 0 && v <= 0xffffffff && v > 0xffff0000)
    return std::to_string(static_cast<std::int32_t>(v));
  if (static_cast<std::int64_t>(v) < 0 && static_cast<std::int64_t>(v) > -1'000'000)
    return std::to_string(static_cast<std::int64_t>(v));
  std::ostringstream out;
  out << "0x" << std::hex << v;
  return out.str();
}

}  // namespace fencepost::verify
