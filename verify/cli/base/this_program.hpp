// The running program: fencepost itself, with the kit's scenarios, or one that
// fencepost_add_model_cli() has made for those of another project.
#pragma once

#include <string>
#include <vector>

namespace fencepost::cli {

struct program_identity {
  std::string name;           // as messages call it
  std::string source_folder;  // the tree that it was built from
  std::string build_folder;   // where the compiler ran; relative paths start there
  // Absolute paths of the project's headers whose labels and orders are examined. If empty,
  // --headers names a folder instead.
  std::vector<std::string> headers = {};
  bool is_fencepost = false;
};

// Returns fencepost's identity until become() changes it.
const program_identity& this_program();

// To be called once, at the beginning, while there is only one thread.
void become(program_identity);

}  // namespace fencepost::cli
