// Fingerprints that tell explored graphs apart, and graphs as text.
#pragma once

#include <cstdint>
#include <string>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

// Equal for equal graphs, in whatever order threads were numbered. Without a cycle of program order
// and reads-from the values follow from the graph; with one, they need not.
enum class told_apart : std::uint8_t { by_graph, by_values_too };
std::uint64_t fingerprint(const verify::explored_graph&, told_apart = told_apart::by_graph);

// A line for each event.
std::string to_text(const verify::explored_graph&);

}  // namespace fencepost::axioms
