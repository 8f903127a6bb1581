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

namespace {

bool is_host(const target& t) { return output_of("uname -m") == std::string(t.machine) + "\n"; }

bool compiles_for(const std::string& compiler, const target& t) {
  return output_of(compiler + " -dumpmachine").rfind(t.machine, 0) == 0 &&
         !output_of("echo '#include <atomic>' | " + compiler + " " + t.flags +
                    " -std=c++20 -x c++ -fsyntax-only - && echo yes")
              .empty();
}

}  // namespace

std::string compiler_for(const target& t) {
  for (const char* compiler : t.compilers) {
    if (compiles_for(compiler, t)) return compiler;
  }
  return {};
}

std::string objdump_for(const target& t) {
  std::string objdump = std::string(t.machine) + "-linux-gnu-objdump";
  if (!output_of("command -v " + objdump).empty()) return objdump;
  return is_host(t) ? "objdump" : "";
}

std::string how_to_install(const target& t) {
  std::string text = std::string("no compiler, headers and objdump for ") + t.name + ": install ";
  if (is_host(t)) return text + t.compiler;
  const std::string_view machine = t.machine == std::string_view("x86_64") ? "x86-64" : t.machine;
  return text + t.compiler + " and (Debian) g++-" + std::string(machine) + "-linux-gnu";
}

temporary_file::temporary_file(const std::string& name)
    : path_{fs::temp_directory_path() /
            ("fencepost_codegen_" + std::to_string(getpid()) + "_" + name)} {}

temporary_file::~temporary_file() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace codegen
