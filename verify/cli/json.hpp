// Results as JSON: what --json writes, and what a worker process sends to its parent. The shape is
// documented in docs/guide/command-line.md; format_version changes when it stops being compatible.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "entry.hpp"
#include "output_file.hpp"
#include "workers.hpp"

namespace fencepost::cli {

using json = nlohmann::ordered_json;

inline constexpr int format_version = 1;

json to_json(const scenario&);
json to_json(const verify::result&);
json to_json(const verify::rechecked&);
json to_json(const verify::counterexample&);
// {"name", "claim", "expected", "threads", "status", "result", "output"}
json to_json(const entry&, const finished_job&);
// Strings of the result live as long as the process. All throw nlohmann::json::exception, or
// usage_error for a word or a number that cannot be.
verify::result result_from_json(const json&);
verify::counterexample counterexample_from_json(const json&);
verify::memory_model model_from(const json&);
std::uint64_t whole_number_from(const json&, std::uint64_t most);
template <class Number>
Number whole(const json& j) {
  return static_cast<Number>(whole_number_from(j, std::numeric_limits<Number>::max()));
}

// {"format": 1, "fencepost": "0.1.0", "command": ...}: how every file begins.
json document(std::string_view command);

// Never throws for text that is not UTF-8: wrong bytes are replaced.
std::string dump(const json&, int indent);

// To the file of --json, if there is to be one.
void write_json(output_files&, const json&);

}  // namespace fencepost::cli
