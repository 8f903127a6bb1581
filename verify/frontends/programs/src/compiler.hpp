// The compilers of the program, as std/fencepost_calls.h and they themselves have left word of it.
#pragma once

#include <string>
#include <vector>

namespace fencepost::programs {

enum class compiler { gcc, clang, both };
[[nodiscard]] compiler compiler_of_program() noexcept;

// "g++ 12.2.0 -O0", each once: compilers with their versions, and with the level of optimization of
// the parts of the program where that is known.
[[nodiscard]] std::vector<std::string> compilers_of_program();
// Was any part optimized?
[[nodiscard]] bool is_optimized() noexcept;
// Was any part compiled by gcc without the plugin that has it announce structures that functions
// return and those that are passed by value?
[[nodiscard]] bool hides_structures() noexcept;

}  // namespace fencepost::programs
