// Loops that wait for what a load reads, whose older sources lead nowhere, or do not.
#pragma once

#include <string>

namespace fencepost::verify::testing {

// Random programs with seeds from `first` on. Each is also written with one load in place of a
// loop, which gives up the execution if it reads something else. Returns which program then has
// other outcomes, or another number of executions, or "".
std::string wrong_drawn_waits(unsigned first, unsigned programs);

// Returns what is wrong with these, or with programs whose turns read more than once, or "".
std::string wrong_dead_ends();

}  // namespace fencepost::verify::testing
