// What a program can use instead of what is not modelled.
#pragma once

#include <string_view>

namespace fencepost::programs {

// The alternative to a function or variable of a library, by its linker name; "" if none is known.
std::string_view instead_of(std::string_view name) noexcept;

}  // namespace fencepost::programs
