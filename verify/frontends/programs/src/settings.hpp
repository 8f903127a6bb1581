// The settings that `fencepost check` passes to the program in the environment variable
// FENCEPOST_CHECK.
#pragma once

#include <cstddef>
#include <string_view>

#include "fencepost/verify/report.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::programs {

struct settings {
  verify::options exploration;
  bool expects_violation = false;
  bool lists_tests = false;  // list the tests of gtest/gtest.h, and check nothing
  bool replays = false;      // repeat a violation for a debugger
  std::size_t steps = verify::text_style{}.max_steps;  // shown of a counterexample; 0 for all
  int report = -1;           // file descriptor for the result in JSON, if not negative
  bool is_examined = false;  // an earlier run has examined the program's instructions
  // The file descriptor of an array of process counts, which may change, or negative if there is
  // none; and the index of this program's count.
  int jobs_file = -1;
  std::size_t jobs_number = 0;
};

// Parses "model=rc11 timeout=500": words with a value, separated by spaces. Throws
// std::invalid_argument, which says what is wrong with them.
[[nodiscard]] settings settings_from(std::string_view);

}  // namespace fencepost::programs
