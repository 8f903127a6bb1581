// fencepost check where more is asked for than what the program says: --each-test, and files.
#pragma once

#include <string>
#include <vector>

#include "commands/program_reports.hpp"

namespace fencepost::cli {

struct tests_to_check {
  std::vector<std::string> program;  // and its arguments
  std::string settings;              // FENCEPOST_CHECK
  bool each = false;                 // false: all that main() runs, at once
  bool expects_violation = false;
  bool models = false;  // under which memory does it go wrong?
  unsigned jobs = 1;    // processes: tests side by side, and parts of a long one
  verify::memory_model model = verify::memory_model::rc20;
  report_paths files;
};

// The exit status of the command.
int check_tests(const tests_to_check&);

}  // namespace fencepost::cli
