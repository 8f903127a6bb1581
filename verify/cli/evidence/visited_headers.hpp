// The places of atomic operations in the headers, and which scenarios come to each of them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "evidence/necessity.hpp"

namespace fencepost::cli {

// A scenario that holds as it is written, with the places that it comes to.
struct holding_scenario {
  const entry* what;
  verify::result as_written;
};

struct visited_header {
  std::filesystem::path path;
  header_report report;
  std::map<std::size_t, std::vector<std::size_t>> visitors;  // of an operation: scenarios
};

struct visited_headers {
  std::vector<visited_header> headers;
  std::vector<std::string> loose;  // labels that are at none of the places
};

// Reads the headers that the options name. Without a scenario in them it throws usage_error, unless
// `some_left_out`: the scenarios that come to them may be those that were left out. Throws it as
// well where a source is not what the program was built from.
visited_headers find_headers(const necessity_options&, const std::vector<holding_scenario>&,
                             bool some_left_out);

}  // namespace fencepost::cli
