// Makes text of any origin safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

// Shows control characters other than newline and tab, and bytes that are not UTF-8, as \xNN: a
// terminal would interpret them as commands.
std::string printable(std::string_view);

// The same, but replaces the middle of each line that is too long for a message.
std::string printable_message(std::string_view);

}  // namespace fencepost::cli
