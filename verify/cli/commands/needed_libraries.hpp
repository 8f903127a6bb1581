// Finds out which shared libraries an executable was linked with.
#pragma once

#include <string_view>

namespace fencepost::cli {

// True if the content is that of an executable that needs the library; false for any other file.
[[nodiscard]] bool needs_library(std::string_view file, std::string_view library);

}  // namespace fencepost::cli
