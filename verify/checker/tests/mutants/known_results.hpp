// Everything that is known of programs, bodies and litmus tests. These return what is wrong, or "".
#pragma once

#include <string>
#include <string_view>

namespace fencepost::verify::testing {

// Compares verdicts, counts, states and classes; checks about the source `file` come early.
std::string anything_wrong(std::string_view file);
// Uses the axioms alone, which reject a graph that was explored although the model forbids it.
std::string anything_rejected();

}  // namespace fencepost::verify::testing
