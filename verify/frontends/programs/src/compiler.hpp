// The compiler of the program, as std/fencepost_calls.h has left word of it.
#pragma once

#include <string>

namespace fencepost::programs {

enum class compiler { gcc, clang, both };
[[nodiscard]] compiler compiler_of_program() noexcept;

// Of clang, with its version; of gcc, nothing. And whether any part was optimized.
[[nodiscard]] std::string name_of_compiler();
[[nodiscard]] bool is_optimized() noexcept;

}  // namespace fencepost::programs
