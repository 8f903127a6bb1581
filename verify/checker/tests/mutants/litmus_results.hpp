// The litmus tests of models/litmus with what is known of them.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fencepost/verify/options.hpp"

namespace fencepost::verify::testing {

// A litmus test with the number of its executions and its states under one model.
struct expectation {
  std::string file;
  memory_model model;
  std::uint64_t executions;
  std::set<std::string> states;
};
std::vector<expectation> known_states();

// Returns what differs, or "". `long_ones`: with threads that do much more, which changes nothing.
std::string wrong_states(const expectation&, bool long_ones = false);

}  // namespace fencepost::verify::testing
