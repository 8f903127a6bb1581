// The runtime of programs that are checked as they are, and what runs them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

inline constexpr std::string_view runtime_name = "libfencepost_program.so";

// Throws usage_error if this Fencepost is without it.
void require_runtime(bool is_there);
// Beside the program itself, in the build folder as where it is installed.
[[nodiscard]] std::filesystem::path runtime_folder();

// In the place of this process.
[[noreturn]] void execute(const std::vector<std::string>& words);
// Waits for it, and takes what it writes to its standard output. The exit status; -1: by a signal.
// Throws usage_error if it cannot be run.
struct answer {
  int status = -1;
  std::string text;
};
[[nodiscard]] answer ask(const std::vector<std::string>& words);

}  // namespace fencepost::cli
