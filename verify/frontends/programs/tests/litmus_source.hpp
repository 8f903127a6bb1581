// Litmus tests as the source of one program in C or C++, which runs the test that its argument
// names, by its number in the list.
#pragma once

#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::programs::testing {

// A source that both languages understand. An outcome of a test is the values of all registers,
// thread by thread, and then of all locations.
std::string litmus_source(const std::vector<litmus::program>&);

}  // namespace fencepost::programs::testing
