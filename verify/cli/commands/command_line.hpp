// Runs the program, for main() and for projects that have scenarios of their own.
#pragma once

#include <functional>
#include <vector>

#include "run/entry.hpp"

namespace fencepost::cli {

// Returns the exit status of the program.
int run(int argc, const char* const* argv, const std::vector<entry>&);

// The same; `table` may throw usage_error.
int run(int argc, const char* const* argv, const std::function<std::vector<entry>()>& table);

}  // namespace fencepost::cli
