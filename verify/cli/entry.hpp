// What the command line works on: a table of scenarios and how each is checked. It does not know
// where they come from; registry.cpp makes the table of the kit's own.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "fencepost/scenario.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::cli {

struct entry {
  scenario about;
  std::function<verify::result(const verify::options&)> run;
};

// The scenarios of the kit, in the order in which they are listed.
std::vector<entry> registry();

}  // namespace fencepost::cli
