// The body of a thread: translates C statements to litmus statements.
#pragma once

#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"

namespace fencepost::litmus {

struct parameter {
  std::string name;
  location_id location = 0;
  bool pointer = false;  // the location holds an address
};

// Parses "{ … }". `begun` has the registers that the initial state names.
thread parse_body(lexer&, thread begun, const std::vector<parameter>&, const std::string& name,
                  unsigned loop_bound);

}  // namespace fencepost::litmus
