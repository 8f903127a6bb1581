// fencepost check --each-test, and --json: the program is run here, once for each test.
#pragma once

#include <string>
#include <vector>

namespace fencepost::cli {

struct tests_to_check {
  std::vector<std::string> program;  // and its arguments
  std::string settings;              // FENCEPOST_CHECK
  bool each = false;                 // false: all that main() runs, at once
  std::string json;                  // a path, or ""
};

// The exit status of the command.
int check_tests(const tests_to_check&);

}  // namespace fencepost::cli
