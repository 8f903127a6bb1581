// Pairs of events of an explored graph: load-buffering races, and updates that may be exchanged.
#pragma once

#include <utility>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

using pair_of_names = std::pair<verify::explored_event::name, verify::explored_event::name>;

// The pairs of a read and a write that have a load-buffering race (verify::load_buffering_race). If
// the value decides whether a compare-exchange acquires, it is assumed not to.
std::vector<pair_of_names> load_buffering_races(const verify::explored_graph&);

// Pairs of read-modify-writes of one location, in different threads, of which the second may be
// moved to where the first reads: nothing that follows the first happens before what precedes the
// second. The first one writes.
std::vector<pair_of_names> exchangeable_updates(const verify::explored_graph&);

}  // namespace fencepost::axioms
