// Why a program cannot be explored.
#pragma once

#include <string>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

// Returns a line for each thing that is not modelled; if there is none, the program can be
// explored. Every import that is not known to be harmless is refused, so that no thread, lock or
// clock is real.
[[nodiscard]] std::vector<std::string> refused(const image&);

}  // namespace fencepost::programs
