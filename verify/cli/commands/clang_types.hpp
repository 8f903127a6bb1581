// Types in LLVM's language, as clang writes code.
#pragma once

#include <string_view>

namespace fencepost::cli {

// Without the spaces around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

// The type that text begins with, with all that is in its brackets.
[[nodiscard]] std::string_view type_of(std::string_view text);

// Does -fsanitize=thread announce plain accesses of this type?
[[nodiscard]] bool is_announced(std::string_view type);

}  // namespace fencepost::cli
