// Runs of commands, and of programs that check themselves.
#pragma once

#include <map>
#include <string>

namespace fencepost::programs::testing {

struct program_run {
  int status = -1;  // the exit status; -1: it was ended by a signal
  std::string out;  // standard output and standard error
  std::map<std::string, unsigned long long> outcomes;  // recorded, with how often
};

// Replaces each line break and the indentation after it with a space: where a sentence is broken
// depends on the length of the path in it.
std::string without_breaks(const std::string& text);

program_run run_command(const std::string& command);

// Runs a checked program; `settings` is the value of FENCEPOST_CHECK.
program_run check(const std::string& program, const std::string& arguments = "",
                  const std::string& settings = "");

}  // namespace fencepost::programs::testing
