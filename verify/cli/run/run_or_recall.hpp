// Runs whose results may be known from earlier.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "run/result_store.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

// Each job's result: the stored one, or that of a run, which is stored. `finished`: so many of them
// have run, of so many that must; called about ten times a second.
std::vector<finished_job> run_or_recall(
    const std::vector<job>&, result_store&, const worker_limits&,
    const std::function<void(std::size_t finished, std::size_t of)>& progress);

}  // namespace fencepost::cli
