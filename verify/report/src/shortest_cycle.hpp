// Why no order of the steps explains what was read.
#pragma once

#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// The shortest cycle of program order and the relations between the accesses: its edges, those of
// program order left out. None: some order of the steps explains all.
std::vector<edge> shortest_cycle(const counterexample&);

}  // namespace fencepost::verify
