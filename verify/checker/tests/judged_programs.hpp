// Programs that block, each with what is known to be wrong with it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify::testing {

struct judged_program {
  std::string name;
  violation expected;
  std::function<void()> body;
  options bounds = {};
};

// Small programs, which between them need every rule about blocking.
std::vector<judged_program> programs_that_block();

// Returns what is wrong with the verdict, or "".
std::string wrong_verdict(const judged_program&);

}  // namespace fencepost::verify::testing
