// What a program takes from libraries, as far as it cannot be explored.
#pragma once

#include <string>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

// What is not modelled, a line each; empty: the program can be explored. Whatever is not known to
// be harmless is refused, so that no thread, lock or clock is real.
[[nodiscard]] std::vector<std::string> refused(const image&);

}  // namespace fencepost::programs
