// Atomic instructions of the program that nobody tells the checker of: those of inline assembly,
// and of object files that fencepost c++ or cc did not compile.
#pragma once

#include <string>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

// What they are and where, in words; each such place, or why it is not known. A compiler makes none
// where it calls the hooks of -fsanitize=thread. Plain accesses in assembly look like all others.
[[nodiscard]] std::vector<std::string> unseen_atomics(const image&);

}  // namespace fencepost::programs
