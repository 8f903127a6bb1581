#include "compiler.hpp"

#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string_view>

// In a program of which a part was compiled so (std/fencepost_calls.h).
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
  // Asked for with each write to an atomic object on a stack.
  static const compiler known =
      static_cast<const char*>(__fencepost_by_clang) == nullptr ? compiler::gcc
      : static_cast<const char*>(__fencepost_by_gcc) == nullptr ? compiler::clang
                                                                : compiler::both;
  return known;
}

namespace {

// What -frecord-gcc-switches has left in the file of the program: texts, each ended by a zero.
std::string recorded_commands() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const auto read = [&](std::uint64_t at, std::size_t size) {
    std::string bytes(size, '\0');
    file.seekg(static_cast<std::streamoff>(at))
        .read(bytes.data(), static_cast<std::streamsize>(size));
    return bytes;
  };
  const auto as = []<class T>(T t, const std::string& bytes) {
    std::copy_n(bytes.data(), sizeof t, reinterpret_cast<char*>(&t));
    return t;
  };
  const auto header = as(Elf64_Ehdr{}, read(0, sizeof(Elf64_Ehdr)));
  const auto section = [&](std::size_t i) {
    return as(Elf64_Shdr{}, read(header.e_shoff + i * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr)));
  };
  if (header.e_shnum == 0) return {};
  const Elf64_Shdr names = section(header.e_shstrndx);
  const std::string all_names = read(names.sh_offset, names.sh_size);
  for (std::size_t i = 0; file && i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    if (all_names.c_str() + std::min<std::size_t>(s.sh_name, all_names.size()) ==
        std::string_view(".GCC.command.line"))
      return read(s.sh_offset, s.sh_size);
  }
  return {};
}

std::string version_of_clang() {
  const std::string version = __fencepost_by_clang;  // "Debian Clang 14.0.6 (https://...)"
  return version.substr(0, version.find(" ("));
}

// Of "GNU C++17 12.2.0 -mtune=generic -O0 -O2", or of the words that clang was called with.
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
  std::istringstream commands(recorded_commands());
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
