// Runs simulations in parallel, each in a process of its own: one that crashes or hangs does not
// affect the others.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "simulated_scenario.hpp"

namespace fencepost::relacy {

struct job {
  const entry* what = nullptr;
  options how;  // must have a time limit: a simulation that runs far beyond it is killed
};

// Runs `processes` jobs at a time; finished() is called in this process, in the order in which the
// jobs end.
std::vector<result> run_apart(const std::vector<job>&, unsigned processes,
                              const std::function<void(std::size_t job, const result&)>& finished);

}  // namespace fencepost::relacy
