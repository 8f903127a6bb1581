// All that is known of programs, bodies and litmus tests: what comes out wrong, or "".
#pragma once

#include <string>
#include <string_view>

namespace fencepost::verify::testing {

// By verdicts, counts, states and classes. Those about the source `file` come early.
std::string anything_wrong(std::string_view file);
// By the axioms alone: a graph that was explored is none of the model's.
std::string anything_rejected();

}  // namespace fencepost::verify::testing
