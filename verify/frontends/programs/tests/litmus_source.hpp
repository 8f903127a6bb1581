// Litmus tests as the source of one program in C or C++, whose argument is the number of the test
// to run, in the order of the list.
#pragma once

#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::programs::testing {

// Returns a source that is valid in both languages. An outcome of a test consists of the values of
// all registers, thread by thread, and then of all locations.
std::string litmus_source(const std::vector<litmus::program>&);

}  // namespace fencepost::programs::testing
