// Lines of source files, for reports; each file is read once.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fencepost/source_location.hpp"

// The source tree, for the files that the compiler named relative to it.
#if !defined(FENCEPOST_SOURCE_DIR)
#define FENCEPOST_SOURCE_DIR ""
#endif

namespace fencepost::verify {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

class source_reader {
 public:
  // Without the space around it; "" where the file cannot be read.
  std::string_view line(const source_location& where) {
    if (where.file == nullptr || *where.file == '\0' || where.line == 0) return {};
    const std::vector<std::string>& lines = lines_of(where.file);
    return where.line <= lines.size() ? trimmed(lines[where.line - 1]) : std::string_view();
  }

 private:
  const std::vector<std::string>& lines_of(const std::string& file) {
    const auto [at, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream in(file);
      if (!in && std::filesystem::path(file).is_relative()) {
        in.open(std::filesystem::path(FENCEPOST_SOURCE_DIR) / file);
      }
      if (!in) in.open(beside_the_program(file));
      for (std::string text; std::getline(in, text);) at->second.push_back(text);
    }
    return at->second;
  }

  // An installed program has been built from a tree that may be gone; the headers that were
  // installed with it are <prefix>/include/fencepost/..., and it is in <prefix>/bin.
  static std::filesystem::path beside_the_program(const std::string& file) {
    const std::size_t at = file.rfind("/include/fencepost/");
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
    if (at == std::string::npos || error) return {};
    return program.parent_path().parent_path() / file.substr(at + 1);
  }

  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace fencepost::verify
