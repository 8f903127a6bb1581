// Why no order of the steps explains what was read.
#pragma once

#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Returns the edges of the shortest cycle of program order and the relations between the accesses,
// without those of program order; none if some order of the steps explains all that was read.
std::vector<edge> shortest_cycle(const counterexample&);

}  // namespace fencepost::verify
