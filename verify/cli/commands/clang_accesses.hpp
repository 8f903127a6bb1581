// Memory accesses that clang does not announce to the checker: its instrumentation
// (-fsanitize=thread) skips sizes other than 1, 2, 4, 8 and 16 bytes, and atomic operations for
// which there are no hooks. They are found in the code that clang writes as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

// Describes the unannounced accesses in instrumented LLVM code, each with its function. Accesses to
// local variables whose addresses do not escape are left out.
[[nodiscard]] std::vector<std::string> unannounced_accesses(std::string_view code);

}  // namespace fencepost::cli
