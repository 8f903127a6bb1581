// The code that clang makes of the files of a call, as text (clang_accesses.hpp).
#pragma once

#include <string>
#include <vector>

namespace fencepost::cli {

// What has to be asked of clang to see this code, for each file of source code among the arguments:
// arguments that have it written to standard output. None: nothing is compiled.
struct source_question {
  std::string file;
  std::vector<std::string> arguments;
};
[[nodiscard]] std::vector<source_question> questions_for(const std::vector<std::string>& arguments);

}  // namespace fencepost::cli
