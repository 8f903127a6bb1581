// Instructions of the program that nobody tells the checker of: those of assembly code, of
// functions that stand for an instruction, and of object files that fencepost c++ or cc did not
// compile.
#pragma once

#include <string>
#include <vector>

#include "image.hpp"

namespace fencepost::programs {

// What they are and where, in words; each such place, or why it is not known. They are atomic
// accesses and fences, non-temporal accesses, and copies by one instruction: a compiler makes none
// where it calls the hooks of -fsanitize=thread. Other accesses of assembly code look like all
// others.
[[nodiscard]] std::vector<std::string> unseen_instructions(const image&);

}  // namespace fencepost::programs
