// Simulations side by side, each in a process of its own: one that crashes or hangs takes nothing
// with it.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "simulated_scenario.hpp"

namespace fencepost::relacy {

struct job {
  const entry* what = nullptr;
  options how;  // the time limit is needed: what goes on for long after it is ended
};

// `processes` at a time; finished() is called in this process, in the order in which they end.
std::vector<result> run_apart(const std::vector<job>&, unsigned processes,
                              const std::function<void(std::size_t job, const result&)>& finished);

}  // namespace fencepost::relacy
