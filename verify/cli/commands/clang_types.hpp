// Types in LLVM's textual code, as clang writes it.
#pragma once

#include <string_view>

namespace fencepost::cli {

// Returns the text without surrounding spaces.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// Returns the type that the text begins with, including everything in its brackets.
[[nodiscard]] std::string_view type_of(std::string_view text);

// True if -fsanitize=thread announces plain accesses of this type.
[[nodiscard]] bool is_announced(std::string_view type);

}  // namespace fencepost::cli
