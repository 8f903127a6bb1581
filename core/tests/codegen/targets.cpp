#include "targets.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <ostream>
#include <string_view>

namespace codegen {

namespace fs = std::filesystem;

bool target::is_aarch64() const { return machine == std::string_view("aarch64"); }

std::ostream& operator<<(std::ostream& out, const target& t) { return out << t.name; }

std::string output_of(const std::string& command) {
  std::string text;
  // NOLINTNEXTLINE(cert-env33-c): the commands are the compilers of targets.hpp
  FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
  if (pipe == nullptr) return {};
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  return pclose(pipe) == 0 ? text : std::string{};
}

std::string compiler_for(const target& t) {
  if (output_of(std::string("command -v ") + t.needs).empty()) return {};
  for (const char* compiler : t.compilers) {
    if (output_of(std::string(compiler) + " -dumpmachine").rfind(t.machine, 0) == 0) {
      return compiler;
    }
  }
  return {};
}

std::string objdump_for(const target& t) {
  const std::string objdump = std::string(t.machine) + "-linux-gnu-objdump";
  return output_of("command -v " + objdump).empty() ? "objdump" : objdump;
}

std::string how_to_install(const target& t) {
  return std::string("no compiler for ") + t.name + ": install " + t.compilers[0] +
         (t.is_aarch64() ? " (Debian: g++-aarch64-linux-gnu)" : "");
}

temporary_file::temporary_file(const std::string& name)
    : path_{fs::temp_directory_path() /
            ("fencepost_codegen_" + std::to_string(getpid()) + "_" + name)} {}

temporary_file::~temporary_file() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace codegen
