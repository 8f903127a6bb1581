// Annotations for GitHub Actions: lines in the output of a step that show a violation at its place
// in the source ("workflow commands").
#pragma once

#include <string>
#include <string_view>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// True if the process is a step of a workflow: GITHUB_ACTIONS is "true".
bool is_in_github_actions();

// Returns the place to annotate: that of the violation; if it is not below GITHUB_WORKSPACE, as in
// a system header, that of the thread's last step that is. Line 0: unknown.
source_location annotated_place(const counterexample&);

// Returns "::error file=box.hpp,line=7::…", without a newline; special characters in the texts are
// escaped. The file is relative to GITHUB_WORKSPACE if it is below it; with line 0 it is left out.
// Thread 0 is called main, as in other texts.
std::string github_error(const source_location&, std::string_view message);

}  // namespace fencepost::verify
