// How to make clang write the code of the source files of a call, as text (clang_accesses.hpp).
#pragma once

#include <string>
#include <vector>

namespace fencepost::cli {

// The arguments with which clang writes the code of a source file to standard output.
struct source_question {
  std::string file;
  std::vector<std::string> arguments;
};
// Returns one for each source file among the arguments; none if nothing is compiled.
[[nodiscard]] std::vector<source_question> questions_for(const std::vector<std::string>& arguments);

}  // namespace fencepost::cli
