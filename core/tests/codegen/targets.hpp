// The audited machines and compilers, and how the compilers are called.
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
  const char* machine;                   // as `compiler -dumpmachine` prints it
  std::array<const char*, 2> compilers;  // the first installed one that can compile for the machine
  const char* flags;

  bool is_aarch64() const;
};

// Prints a target for GoogleTest.
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

// The output of a command; empty if it fails.
std::string output_of(const std::string& command);

// The command of the target's compiler; empty if it is not installed, or lacks the target's
// headers: clang++ compiles for every machine, but has only the headers of its own.
std::string compiler_for(const target& t);
// The same for the program that prints its object code.
std::string objdump_for(const target& t);
// The message for a target that lacks one of them.
std::string how_to_install(const target& t);

// A path for this process only; a file or folder there is removed with the object.
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
