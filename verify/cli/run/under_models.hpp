// Explores scenarios under one memory after another, each weaker than the last, to find the first
// that shows a violation.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/screen.hpp"
#include "run/command_options.hpp"

namespace fencepost::cli {

struct under_models {
  struct tried {
    std::string_view model;  // "sc": every access as if it were sequentially consistent
    verify::result result;
  };
  std::vector<tried> all;  // up to the first that shows a violation
  finished_job shown;      // the last of them
};

std::vector<under_models> run_under_models(const std::vector<const entry*>&, const common_options&,
                                           const limit_options&, screen&);

// The same for whatever `explore` explores: under a model, with all accesses sequentially
// consistent or with their own orders.
under_models explore_under_models(
    const std::function<finished_job(verify::memory_model, bool sequentially_consistent)>& explore);

// A line for each model, and what is to blame for a violation.
std::string in_words(const under_models&, const screen&);
// [{"model", "outcome", "executions", "limit"}]
json to_json(const under_models&);

}  // namespace fencepost::cli
