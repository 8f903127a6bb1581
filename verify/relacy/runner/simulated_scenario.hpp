// The runner's input: the kit's scenarios, and how each is simulated.
#pragma once

#include <vector>

#include "fencepost/relacy/simulation_result.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::relacy {

struct entry {
  scenario about;
  result (*run)(const options&);  // null: skipped
  const char* skipped;            // why
};

// Returns the scenarios in the order in which the checker lists them.
std::vector<entry> registry();

}  // namespace fencepost::relacy
