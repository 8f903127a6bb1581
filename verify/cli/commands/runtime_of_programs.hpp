// The runtime of programs that are checked as they are, and functions that run them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

inline constexpr std::string_view runtime_name = "libfencepost_program.so";

// Throws usage_error if this Fencepost has no runtime.
void require_runtime(bool is_there);
// The folder of the runtime, at the same place relative to the program in the build folder and
// where it is installed.
[[nodiscard]] std::filesystem::path runtime_folder();

// Runs a program in place of this process.
[[noreturn]] void execute(const std::vector<std::string>& words);
// What a program has written to standard output, and its exit status; -1 if it was ended by a
// signal.
struct answer {
  int status = -1;
  std::string text;
};
// Runs a program and waits for it. Throws usage_error if it cannot be run.
[[nodiscard]] answer ask(const std::vector<std::string>& words);

}  // namespace fencepost::cli
