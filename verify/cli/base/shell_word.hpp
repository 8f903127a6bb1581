// Words of a command that a message suggests, to be pasted into a shell.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

// The text as one word of a POSIX shell: in single quotes if it needs any.
std::string shell_word(std::string_view);

}  // namespace fencepost::cli
