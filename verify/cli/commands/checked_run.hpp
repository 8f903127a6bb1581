// One run of a program that fencepost c++ or cc has linked: it checks itself, and says what came of
// it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/usage.hpp"
#include "commands/command.hpp"

namespace fencepost::cli {

struct checked_run {
  int status = exit_incomplete;
  std::string text;  // what it says on standard output
  json report;       // its result (result_json.hpp); null: it has come to none

  // One word. Of a test that skips itself nothing is verified.
  std::string verdict() const;
  // What is wrong, which limit was hit, or the number of executions.
  std::string in_words() const;
};

// `settings` is what FENCEPOST_CHECK says. Throws usage_error where no process can be started.
checked_run run_checked(std::vector<std::string> program, const std::string& settings);

}  // namespace fencepost::cli
