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

// The text with a space for each break of a line: where a sentence is broken depends on the length
// of the path that is in it.
std::string without_breaks(const std::string& text);

program_run run_command(const std::string& command);

// `settings`: FENCEPOST_CHECK.
program_run check(const std::string& program, const std::string& arguments = "",
                  const std::string& settings = "");

}  // namespace fencepost::programs::testing
