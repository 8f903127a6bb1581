// Instructions of the program that the checker is not told of: those of assembly code, of functions
// that stand for an instruction, and of object files that fencepost c++ or cc did not compile.
#pragma once

#include <string>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

// Says in words what and where these instructions are, one string each; or why this is not known.
// They are atomic accesses and fences, non-temporal accesses, and copies by one instruction: a
// compiler makes none of these where it calls the hooks of -fsanitize=thread. Other accesses of
// assembly code cannot be told from those of compilers.
[[nodiscard]] std::vector<std::string> unseen_instructions(const image&);

}  // namespace fencepost::programs
