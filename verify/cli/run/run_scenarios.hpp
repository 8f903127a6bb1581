// Runs scenarios for a command, and draws the live line.
#pragma once

#include <functional>
#include <vector>

#include "run/command_options.hpp"

namespace fencepost::cli {

// `finished` is called for each scenario that ran, as it ends.
std::vector<finished_job> run_scenarios(
    const std::vector<const entry*>&, const common_options&, const limit_options&, screen&,
    const std::function<void(std::size_t, const finished_job&)>& finished);

// For the scenarios that `which` names, replaces the first counterexample with the shortest that is
// found, as explain does: within a limit on runs, and a few seconds each. Executions are not
// counted again.
void shorten_counterexamples(std::vector<finished_job>&, const std::vector<const entry*>&,
                             const std::vector<std::size_t>& which, const common_options&,
                             const limit_options&, screen&);

}  // namespace fencepost::cli
