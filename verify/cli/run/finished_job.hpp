// A scenario to be explored, and the result.
#pragma once

#include <string>

#include "base/json.hpp"
#include "fencepost/verify/result.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {

struct job {
  const entry* what = nullptr;
  verify::options how;
};

struct finished_job {
  verify::result result;
  std::string output;  // the end of what the scenario printed
  bool ran = true;     // false: an interrupt came before its turn
};

// {"name", "claim", "expected", "threads", "nightly"}
json to_json(const scenario&);
// The same, and {"status", "result", "output"}.
json to_json(const entry&, const finished_job&);

}  // namespace fencepost::cli
