// What a program can use in the place of what is not modelled.
#pragma once

#include <string_view>

namespace fencepost::programs {

// For a function or variable of a library, by its name as linkers have it; "": nothing is known.
std::string_view instead_of(std::string_view name) noexcept;

}  // namespace fencepost::programs
