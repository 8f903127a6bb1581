// Accesses to memory that clang makes without a word to the checker: its instrumentation
// (-fsanitize=thread) passes over sizes other than 1, 2, 4, 8 and 16 bytes, and over atomic
// operations that the hooks do not have. They are found in the code that it writes as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

// Of instrumented code in LLVM's language: what is accessed so, and in which function. Variables of
// a function whose addresses stay within it are left out.
[[nodiscard]] std::vector<std::string> unannounced_accesses(std::string_view code);

}  // namespace fencepost::cli
