// Results as JSON: what --json writes, and what a worker process sends to its parent. The shape is
// documented in docs/guide/command-line.md; format_version changes when it stops being compatible.
#pragma once

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
// Strings of the result live as long as the process. Throws nlohmann::json::exception.
verify::result result_from_json(const json&);
verify::counterexample counterexample_from_json(const json&);

// {"format": 1, "fencepost": "0.1.0", "command": ...}: how every file begins.
json document(std::string_view command);

// Never throws for text that is not UTF-8: wrong bytes are replaced.
std::string dump(const json&, int indent);

class json_file : public output_file {
 public:
  json_file() = default;
  explicit json_file(const std::string& path) : output_file("--json", path) {}

  void write(const json&);
};

}  // namespace fencepost::cli
