// Results as JSON: what --json writes, and what a worker process sends to its parent. The shape is
// documented in docs/guide/command-line.md; format_version changes when it stops being compatible.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "entry.hpp"

namespace fencepost::cli {

using json = nlohmann::ordered_json;

inline constexpr int format_version = 1;

json to_json(const scenario&);
json to_json(const verify::result&);
json to_json(const verify::counterexample&);
// Strings of the result live as long as the process. Throws nlohmann::json::exception.
verify::result result_from_json(const json&);

// {"format": 1, "fencepost": "0.1.0", "command": ...}: how every file begins.
json document(std::string_view command);

// Never throws for text that is not UTF-8: wrong bytes are replaced.
std::string dump(const json&, int indent);

// Where --json goes. Opened before the run, so that a file that cannot be written costs no time.
class json_file {
 public:
  json_file() = default;
  explicit json_file(const std::string& path);  // "-" is standard output, "" nowhere
  json_file(const json_file&) = delete;
  json_file& operator=(const json_file&) = delete;
  ~json_file();

  bool wanted() const noexcept { return file_ != nullptr; }
  bool is_standard_output() const noexcept { return file_ == stdout; }
  void write(const json&);
  void write_line(const std::string&);

 private:
  std::FILE* file_ = nullptr;
  std::string path_;
};

}  // namespace fencepost::cli
