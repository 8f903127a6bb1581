// fencepost check with options that need more than the program's own report: --each-test, and
// files.
#pragma once

#include <string>
#include <vector>

#include "commands/program_reports.hpp"

namespace fencepost::cli {

struct tests_to_check {
  std::vector<std::string> program;  // the program and its arguments
  std::string settings;              // the value of FENCEPOST_CHECK
  bool each = false;                 // false: everything that main() runs, at once
  bool expects_violation = false;
  bool models = false;  // find out under which memory it goes wrong
  unsigned jobs = 1;    // processes, for tests side by side and for parts of a long one
  verify::memory_model model = verify::memory_model::rc20;
  report_paths files;
};

// Returns the exit status of the command.
int check_tests(const tests_to_check&);

}  // namespace fencepost::cli
