// How a command ends.
#pragma once

#include <stdexcept>

namespace fencepost::cli {

enum exit_status : int {
  exit_as_expected = 0,
  exit_unexpected = 1,
  exit_usage = 2,
  exit_incomplete = 3,
};

// Wrong usage or bad input: the message says what to do, the exit status is 2.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace fencepost::cli
