// What a program imports from libraries, as far as that makes it impossible to explore.
#pragma once

#include <string>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

// What is not modelled, one line each. If there is none, the program can be explored. Whatever is
// not known to be harmless is refused, so that no thread, lock or clock is real.
[[nodiscard]] std::vector<std::string> refused(const image&);

}  // namespace fencepost::programs
