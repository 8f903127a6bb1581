// Names of scenarios that are composed at compile time: scenario_name<"component", "claim">.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace fencepost::models {

// A string literal as a template argument.
template <std::size_t Size>
struct text {
  char chars[Size];
  // NOLINTNEXTLINE(google-explicit-constructor): a literal is a text
  consteval text(const char (&literal)[Size]) { std::copy_n(literal, Size, chars); }
  static constexpr std::size_t length = Size - 1;
};

namespace detail {
template <text Component, text Claim>
inline constexpr auto joined = [] {
  std::array<char, Component.length + Claim.length + 2> name{};  // ends in a null character
  auto end = std::copy_n(Component.chars, Component.length, name.begin());
  *end++ = '/';
  std::copy_n(Claim.chars, Claim.length, end);
  return name;
}();
}  // namespace detail

template <text Component, text Claim>
inline constexpr std::string_view scenario_name{detail::joined<Component, Claim>.data(),
                                                detail::joined<Component, Claim>.size() - 1};

}  // namespace fencepost::models
