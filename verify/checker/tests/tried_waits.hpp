// Loops that wait for a load, whose older sources lead nowhere, or do not.
#pragma once

#include <string>

namespace fencepost::verify::testing {

// Random programs with seeds from `first` on: each is also written with one load in the place of a
// loop, where executions that read something else are given up. Says which one has other outcomes
// then, or another number of executions, or "".
std::string wrong_drawn_waits(unsigned first, unsigned programs);

// What is wrong with these, and with programs whose turns read more than once, or "".
std::string wrong_dead_ends();

}  // namespace fencepost::verify::testing
