// Runs scenarios for a command, with the live line.
#pragma once

#include <functional>
#include <vector>

#include "command.hpp"

namespace fencepost::cli {

// `finished` is called for each scenario that ran, as it ends.
std::vector<finished_job> run_scenarios(
    const std::vector<const entry*>&, const common_options&, const limit_options&, screen&,
    const std::function<void(std::size_t, const finished_job&)>& finished);

}  // namespace fencepost::cli
