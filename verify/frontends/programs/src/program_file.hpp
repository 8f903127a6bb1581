// What the executable file of the program under test says of itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fencepost::programs {

// The bytes of the section with this name; none if there is no such section.
[[nodiscard]] std::string section_of_program(std::string_view name);

// The source files of the parts that fencepost c++ and cc have not compiled, each once. None if the
// program has no symbol table.
[[nodiscard]] std::vector<std::string> parts_that_are_not_ours();

}  // namespace fencepost::programs
