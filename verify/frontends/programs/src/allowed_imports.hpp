// What a program may import from libraries: the functions that the runtime replaces, and those that
// make no difference to an exploration.
#pragma once

#include <string_view>

namespace fencepost::programs {

[[nodiscard]] bool may_import(std::string_view name);
[[nodiscard]] bool may_link(std::string_view library);

}  // namespace fencepost::programs
