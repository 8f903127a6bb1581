// Which program runs: fencepost itself, with the kit's scenarios, or one that
// fencepost_add_model_cli() has made for those of another project.
#pragma once

#include <string>
#include <vector>

namespace fencepost::cli {

struct program_identity {
  std::string name;           // as messages call it
  std::string source_folder;  // the tree that it was built from
  std::string build_folder;   // where the compiler ran: paths that are not absolute begin there
  // The headers of the project whose labels and orders are looked at, absolute paths. Empty: those
  // of a folder, which --headers names.
  std::vector<std::string> headers = {};
  bool is_fencepost = false;
};

// fencepost, until become() says otherwise.
const program_identity& this_program();

// Once, at the beginning; one thread.
void become(program_identity);

}  // namespace fencepost::cli
