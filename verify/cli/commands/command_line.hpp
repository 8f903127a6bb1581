// The program, for main() and for those who make up the scenarios.
#pragma once

#include <functional>
#include <vector>

#include "run/entry.hpp"

namespace fencepost::cli {

// All of it: the exit status.
int run(int argc, const char* const* argv, const std::vector<entry>&);

// The same; the table may throw usage_error.
int run(int argc, const char* const* argv, const std::function<std::vector<entry>()>& table);

}  // namespace fencepost::cli
