// Which shared libraries an executable was linked with.
#pragma once

#include <string_view>

namespace fencepost::cli {

// Is the file's content a program that needs the library? False for what is no such file.
[[nodiscard]] bool needs_library(std::string_view file, std::string_view library);

}  // namespace fencepost::cli
