// What is wrong, at its place in the source, for GitHub Actions: a line in the output of a step
// that becomes an annotation of the commit ("workflow command").
#pragma once

#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Whether the process is a step of a workflow: GITHUB_ACTIONS is "true".
bool is_in_github_actions();

// Where to show it: where it went wrong; if that is not below GITHUB_WORKSPACE, as a header of the
// system, the last step of the same thread before that is. Line 0: nowhere.
source_location annotated_place(const counterexample&);

// "::error file=box.hpp,line=7::…", without the end of the line, whatever is in the texts. The file
// is relative to GITHUB_WORKSPACE where it is below it, and left out with line 0. Thread 0 is
// called main, as in other texts.
std::string github_error(const source_location&, std::string_view message);

}  // namespace fencepost::verify
