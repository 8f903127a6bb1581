// Runs the tests of a program in parallel, each in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commands/program_reports.hpp"

namespace fencepost::cli {

// Reports the tests as if they were run one after the other: in this order, and each as soon as all
// before it are done. `settings` is the value of FENCEPOST_CHECK, without the number of processes
// for each test: the last tests share the processes that are free. After an interrupt no more tests
// are started, and the running ones are asked to stop.
void run_side_by_side(const std::vector<std::string>& program, const std::string& settings,
                      unsigned jobs, const std::vector<std::string>& names,
                      const std::function<void(const named_run&)>& done);

}  // namespace fencepost::cli
