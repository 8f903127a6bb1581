#include "compiler.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "program_file.hpp"

// Each is defined if some part of the program was compiled that way (std/fencepost_calls.h).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,modernize-avoid-c-arrays)
extern "C" {
[[gnu::weak]] extern const char __fencepost_by_clang[];
[[gnu::weak]] extern const char __fencepost_by_gcc[];
[[gnu::weak]] extern const char __fencepost_optimized;
[[gnu::weak]] extern const char __fencepost_hidden_structures;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,modernize-avoid-c-arrays)

namespace fencepost::programs {

compiler compiler_of_program() noexcept {
  // Kept, since this is called for each write to an atomic object on a stack.
  static const compiler known =
      static_cast<const char*>(__fencepost_by_clang) == nullptr ? compiler::gcc
      : static_cast<const char*>(__fencepost_by_gcc) == nullptr ? compiler::clang
                                                                : compiler::both;
  return known;
}

namespace {

std::string version_of_clang() {
  const std::string version = __fencepost_by_clang;  // "Debian Clang 14.0.6 (https://...)"
  return version.substr(0, version.find(" ("));
}

// Parses "GNU C++17 12.2.0 -mtune=generic -O0 -O2", or the command line of clang.
std::string compiler_of(const std::string& command) {
  std::istringstream words(command);
  std::string family, language, version;
  words >> family;
  if (family == "GNU") words >> language >> version;
  std::string level = "-O0";
  for (std::string word; words >> word;)
    if (word.starts_with("-O")) level = word == "-O" ? "-O1" : word;
  if (family != "GNU") return version_of_clang() + ' ' + level;
  return (language.starts_with("C++") ? "g++ " : "gcc ") + version + ' ' + level;
}

}  // namespace

std::vector<std::string> compilers_of_program() {
  std::vector<std::string> all;
  // Zero-terminated texts, which -frecord-gcc-switches has written.
  std::istringstream commands(section_of_program(".GCC.command.line"));
  for (std::string one; std::getline(commands, one, '\0');)
    if (!one.empty()) all.push_back(compiler_of(one));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  if (!all.empty()) return all;
  if (compiler_of_program() == compiler::clang) return {version_of_clang()};
  if (static_cast<const char*>(__fencepost_by_gcc) == nullptr) return {};
  return {std::string("GCC ") + __fencepost_by_gcc};
}

bool is_optimized() noexcept { return &__fencepost_optimized != nullptr; }
bool hides_structures() noexcept { return &__fencepost_hidden_structures != nullptr; }

}  // namespace fencepost::programs
