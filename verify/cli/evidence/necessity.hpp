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
  bool own_headers = false;  // use the headers that the program was built with, not a folder
  std::string cache;
  bool nightly = false;
  // If not 0: how many executions of each scenario are explored at most to find out whether an
  // order that is kept with a reason is needed.
  std::uint64_t kept_executions = 0;

  // Returns "" for none: the default is only for the default headers.
  std::string sources_folder() const {
    const necessity_options usual;
    return folder != usual.folder && sources == usual.sources ? "" : sources;
  }
};

// Throws usage_error if neither the program nor the options name the headers.
void require_headers(const std::string& who, const necessity_options&);

// Finds out which orders are needed. With xc20, the questions are first asked under rc20, which
// allows fewer executions; under xc20, only those that are then open, of the scenarios that hold
// under xc20 as written. Throws usage_error if there is no such header, or if a source differs from
// what the program was built from.
necessity_report find_needs(const std::vector<entry>&, const necessity_options&, result_store&,
                            screen&);

}  // namespace fencepost::cli
