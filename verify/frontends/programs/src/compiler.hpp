// The compilers of the program, as recorded by std/fencepost_calls.h and by themselves.
#pragma once

#include <string>
#include <vector>

namespace fencepost::programs {

enum class compiler { gcc, clang, both };
[[nodiscard]] compiler compiler_of_program() noexcept;

// The compilers with their versions, each once, such as "g++ 12.2.0 -O0"; with the optimization
// levels of the parts of the program where they are known.
[[nodiscard]] std::vector<std::string> compilers_of_program();
// True if any part was optimized.
[[nodiscard]] bool is_optimized() noexcept;
// True if any part was compiled by gcc without the plugin that makes it announce structures that
// functions return and those that are passed by value.
[[nodiscard]] bool hides_structures() noexcept;

}  // namespace fencepost::programs
