// Values out of JSON, and the text that they are there.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace fencepost::verify {

// source_location points to text that is expected to live for ever.
inline const char* interned(const std::string& text) {
  static std::set<std::string> all;
  return all.insert(text).first->c_str();
}

// The enumerator with that name; they are few and numbered from 0, and "?" is the name of none.
template <class Enum>
Enum named(const nlohmann::ordered_json& name, std::string_view what) {
  const auto& text = name.get_ref<const std::string&>();
  for (unsigned i = 0; i < 64 && text != "?"; ++i) {
    if (to_string(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  throw std::invalid_argument("there is no " + std::string(what) + " '" + text + "'");
}

template <class Number>
Number whole(const nlohmann::ordered_json& j) {
  if (j.is_number_unsigned() && j.get<std::uint64_t>() <= std::numeric_limits<Number>::max())
    return j.get<Number>();
  throw std::invalid_argument(j.dump() + " is not a whole number from 0 to " +
                              std::to_string(std::numeric_limits<Number>::max()));
}

}  // namespace fencepost::verify
