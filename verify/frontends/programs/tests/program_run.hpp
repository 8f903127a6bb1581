// Runs of programs that are checked.
#pragma once

#include <map>
#include <string>

namespace fencepost::programs::testing {

struct program_run {
  int status = -1;  // the exit status; -1: it was ended by a signal
  std::string out;  // standard output and standard error
  std::map<std::string, unsigned long long> outcomes;  // recorded, with how often
};

program_run run_command(const std::string& command);

// `settings`: FENCEPOST_CHECK.
program_run check(const std::string& program, const std::string& arguments = "",
                  const std::string& settings = "");

}  // namespace fencepost::programs::testing
