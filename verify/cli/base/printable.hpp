// Text that may come from anywhere, for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

// Control characters other than the end of a line and the tabulator, and bytes that are not UTF-8,
// are shown as \xNN: a terminal would take them for commands.
std::string printable(std::string_view);

// The same, with the middle of a line that is too long for a message left out.
std::string printable_message(std::string_view);

}  // namespace fencepost::cli
