// Runs scenarios for a command, with the live line.
#pragma once

#include <functional>
#include <vector>

#include "run/command_options.hpp"

namespace fencepost::cli {

// `finished` is called for each scenario that ran, as it ends.
std::vector<finished_job> run_scenarios(
    const std::vector<const entry*>&, const common_options&, const limit_options&, screen&,
    const std::function<void(std::size_t, const finished_job&)>& finished);

// Of the scenarios that `which` names, puts the shortest counterexample that is found in the place
// of the first one, as explain shows it: within so many runs and a few seconds each. What was
// counted stays.
void shorten_counterexamples(std::vector<finished_job>&, const std::vector<const entry*>&,
                             const std::vector<std::size_t>& which, const common_options&,
                             const limit_options&, screen&);

}  // namespace fencepost::cli
