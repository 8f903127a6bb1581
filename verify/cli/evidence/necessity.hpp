// Which memory orders of the headers are needed: each is weakened, one at a time, and the scenarios
// that execute it are explored again.
#pragma once

#include <string>
#include <vector>

#include "evidence/necessity_report.hpp"
#include "run/command_options.hpp"
#include "run/result_store.hpp"

namespace fencepost::cli {

struct necessity_options : common_options, limit_options {
  std::string folder = "core/include/fencepost";
  std::string sources = "core/src";  // of compiled code
  bool own_headers = false;          // not of a folder: those that the program was built with
  std::string cache;
  bool nightly = false;
  // Not 0: whether an order is needed that is kept with a reason is looked for in at most so many
  // executions of each scenario.
  std::uint64_t kept_executions = 0;

  // "" for none: other headers have no such code unless it is said.
  std::string sources_folder() const {
    const necessity_options usual;
    return folder != usual.folder && sources == usual.sources ? "" : sources;
  }
};

// Throws usage_error where neither the program nor the options say of which headers.
void require_headers(const std::string& who, const necessity_options&);

// Under xc20 first what rc20 shows, under which fewer executions are explored, and then only what
// it leaves open, by the scenarios that hold under xc20 as they are. Throws usage_error: no such
// header, or a source that is not what the program was built from.
necessity_report find_needs(const std::vector<entry>&, const necessity_options&, result_store&,
                            screen&);

}  // namespace fencepost::cli
