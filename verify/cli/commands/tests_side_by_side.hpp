// Tests of a program, each in a process of its own, as many at once as there may be.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commands/program_reports.hpp"

namespace fencepost::cli {

// Tells of each as if they were run one after the other: in this order, and as soon as all before
// it are done. `settings`: FENCEPOST_CHECK, but for how many processes each may use: the last tests
// share those that are left. On an interrupt no more are started, and those that run are asked to
// stop.
void run_side_by_side(const std::vector<std::string>& program, const std::string& settings,
                      unsigned jobs, const std::vector<std::string>& names,
                      const std::function<void(const named_run&)>& done);

}  // namespace fencepost::cli
