// What each event did, computed from what the program asked for.
#pragma once

#include <string>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

// What is wrong with the values of the events, or with the modification orders, each of which must
// have all writes to its cell once; or "".
std::string wrong_events(const verify::explored_graph&);

}  // namespace fencepost::axioms
