// A complete execution in neutral terms, for options::on_complete_graph: taken from the graph, not
// from what the explorer concluded about it.
#pragma once

#include <vector>

#include "fencepost/verify/explored_graph.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

explored_graph describe(const graph&, unsigned threads, const std::vector<silent_access>&);

}  // namespace fencepost::verify
