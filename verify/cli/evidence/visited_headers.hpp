// The atomic operations in the headers, and which scenarios execute each of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "evidence/necessity.hpp"

namespace fencepost::cli {

// A scenario that holds as written, with the places that it executes.
struct holding_scenario {
  const entry* what;
  verify::result as_written;
};

struct visited_header {
  std::filesystem::path path;
  header_report report;
  std::map<std::size_t, std::vector<std::size_t>> visitors;  // operation to scenarios
};

struct visited_headers {
  std::vector<visited_header> headers;
  std::vector<std::string> loose;  // labels without an operation
};

// Reads the headers that the options name. Throws usage_error if no scenario executes anything in
// them, unless `some_left_out`: the scenarios that were left out may execute it. Also throws
// usage_error if a source differs from what the program was built from.
visited_headers find_headers(const necessity_options&, const std::vector<holding_scenario>&,
                             bool some_left_out);

}  // namespace fencepost::cli
