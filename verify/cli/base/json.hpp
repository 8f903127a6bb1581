// What all JSON files have in common. Their shape is documented in docs/guide/command-line.md;
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

// Returns an integer from 0 to `most`; throws usage_error for any other value.
std::uint64_t whole_number_from(const json&, std::uint64_t most);
template <class Number>
Number whole(const json& j) {
  return static_cast<Number>(whole_number_from(j, std::numeric_limits<Number>::max()));
}

// The beginning of every file: {"format": 1, "fencepost": "0.1.0", "command": ...}.
json document(std::string_view command);

// Replaces bytes that are not UTF-8, rather than throwing.
std::string dump(const json&, int indent);
// Returns the text with all bytes that are not UTF-8 replaced.
std::string valid_text(const std::string&);

// Writes to the file of --json, if one was requested.
void write_json(output_files&, const json&);

}  // namespace fencepost::cli
