// Runs jobs, except for those whose results are stored.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "run/result_store.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

// Returns each job's result: the stored one, or that of a run, which is then stored. `progress` is
// called about ten times a second; `finished` jobs have run, of those that must.
std::vector<finished_job> run_or_recall(
    const std::vector<job>&, result_store&, const worker_limits&,
    const std::function<void(std::size_t finished, std::size_t of)>& progress);

}  // namespace fencepost::cli
