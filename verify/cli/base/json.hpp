// What all files of JSON have in common. Their shape is documented in docs/guide/command-line.md;
// format_version changes when it stops being compatible.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/output_file.hpp"

namespace fencepost::cli {

using json = nlohmann::ordered_json;

inline constexpr int format_version = 1;

// Throws usage_error for anything else.
std::uint64_t whole_number_from(const json&, std::uint64_t most);
template <class Number>
Number whole(const json& j) {
  return static_cast<Number>(whole_number_from(j, std::numeric_limits<Number>::max()));
}

// {"format": 1, "fencepost": "0.1.0", "command": ...}: how every file begins.
json document(std::string_view command);

// Never throws for text that is not UTF-8: wrong bytes are replaced.
std::string dump(const json&, int indent);
// The text with what is not UTF-8 replaced.
std::string valid_text(const std::string&);

// To the file of --json, if there is to be one.
void write_json(output_files&, const json&);

}  // namespace fencepost::cli
