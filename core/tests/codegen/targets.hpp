// The machines and compilers whose code is looked at, and how they are called.
#pragma once

#include <array>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>

namespace codegen {

struct target {
  const char* name;
  const char* compiler;                  // its name on the page: g++ or clang++
  const char* machine;                   // as in `compiler -dumpmachine`
  std::array<const char*, 2> compilers;  // the first that is installed and is for the machine
  const char* flags;

  bool is_aarch64() const;
};

// For GoogleTest.
std::ostream& operator<<(std::ostream& out, const target& t);

constexpr const char* x86_64_flags = "";
constexpr const char* lse_flags = "-march=armv8.1-a -mno-outline-atomics";
constexpr const char* ll_sc_flags = "-march=armv8-a -mno-outline-atomics";

constexpr target make_target(const char* name, const char* compiler, const char* flags) {
  const bool gcc = std::string_view(compiler) == "g++";
  if (std::string_view(flags).empty()) {
    return gcc ? target{name, compiler, "x86_64", {"g++", "x86_64-linux-gnu-g++"}, flags}
               : target{name,
                        compiler,
                        "x86_64",
                        {"clang++", "clang++ --target=x86_64-linux-gnu"},
                        flags};
  }
  return gcc ? target{name, compiler, "aarch64", {"aarch64-linux-gnu-g++", "g++"}, flags}
             : target{name,
                      compiler,
                      "aarch64",
                      {"clang++ --target=aarch64-linux-gnu", "clang++"},
                      flags};
}

// What a command prints; empty if it fails.
std::string output_of(const std::string& command);

// How the compiler of the target is called; empty if it is not installed, or has no headers of the
// target's: clang++ compiles for every machine, but has the headers of its own only.
std::string compiler_for(const target& t);
// The same of what prints its object code.
std::string objdump_for(const target& t);
// What to say where one of them is missing.
std::string how_to_install(const target& t);

// A file of this process, which goes with the object.
class temporary_file {
 public:
  explicit temporary_file(const std::string& name);
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;
  ~temporary_file();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace codegen
