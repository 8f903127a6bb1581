#include "unseen_instructions.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "compiler.hpp"
#include "debug_lines.hpp"
#include "instructions.hpp"
#include "program_file.hpp"

namespace fencepost::programs {
namespace {

#if defined(__aarch64__)
// Debian's name of the objdump for this architecture, which is not that of the machine if the
// program is emulated.
constexpr const char* objdump = "aarch64-linux-gnu-objdump";
#else
constexpr const char* objdump = "x86_64-linux-gnu-objdump";
#endif

std::string name_of_file(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Returns the text with one space between words, and nothing after the operands.
std::string without_padding(std::string_view text) {
  std::string all;
  for (const char c : text.substr(0, text.find_first_of("#<"))) {
    const bool separates = c == ' ' || c == '\t';
    if (!separates || !all.ends_with(' ')) all += separates ? ' ' : c;
  }
  while (all.ends_with(' ')) all.pop_back();
  return all;
}

// clang leaves an atomic load of 16 bytes in place after the call that announces it, and uses the
// result of the call. The load is then an exchange of zero for zero at the line of the call, with
// no other call or jump between the two.
class announced_loads {
 public:
  void note(std::string_view instruction, std::uintptr_t address) {
    if (instruction.find("<__tsan_atomic128_load") != std::string_view::npos)
      call_ = address;
    else if (instruction.starts_with("call") || instruction.starts_with("j") ||
             instruction.starts_with("ret"))
      call_ = 0;
  }
  [[nodiscard]] bool leave(std::string_view instruction, std::uintptr_t address,
                           debug_lines& lines) const {
    if (call_ == 0 || !instruction.starts_with("lock cmpxchg16b ")) return false;
    const debug_lines::line call = lines.at(call_).front(), left = lines.at(address).front();
    return call.number != 0 && call.number == left.number && call.column == left.column &&
           call.file == left.file && call.function == left.function;
  }

 private:
  std::uintptr_t call_ = 0;  // of the last such call, or 0
};

// Linkers replace such calls in programs. The library's function would return the address of the OS
// thread's variable.
bool asks_for_a_thread_local(std::string_view instruction) {
  return instruction.starts_with("call") &&
         instruction.find("<__tls_get_addr") != std::string_view::npos;
}

const char* what_it_is(instruction i) {
  switch (i) {
    case instruction::atomic:
      return ": an atomic instruction in assembly code, or in code that fencepost c++ or cc did "
             "not compile"
             "\n    instead: atomic objects, or builtins such as __atomic_fetch_add()";
    case instruction::fence:
      return ": a fence in assembly code, or in code that fencepost c++ or cc did not compile"
             "\n    instead: std::atomic_thread_fence(), or __atomic_thread_fence()";
    case instruction::non_temporal:
      return ": a non-temporal or masked access, by a function such as _mm_stream_si32() or in "
             "assembly code"
             "\n    instead: an assignment, or an atomic store";
    case instruction::of_many_bytes:
      return ": assembly code that copies, fills or compares memory"
             "\n    instead: memcpy(), memset() or memcmp()";
    case instruction::of_the_machine:
      return ": an instruction that asks the machine for the time or a random number, calls the "
             "system, or begins a transaction"
             "\n    instead: clocks of the library, rand(), or functions of the C library"
             " such as syscall()";
    case instruction::other: break;
  }
  return "";
}

std::string in_words(std::string_view text, instruction i, const debug_lines::line& at) {
  std::string said = "'" + std::string(text) + "'";
  if (!at.function.empty())  // C++ names have their parameters
    said += " in " + at.function + (at.function.find('(') == std::string::npos ? "()" : "");
  if (at.number != 0) said += " at " + name_of_file(at.file) + ":" + std::to_string(at.number);
  return said + what_it_is(i);
}

// Compilers use such instructions to copy structures, but not where fencepost c++ tells them not
// to. In other parts they are expected: it is known that accesses there are not watched
// (program_file.hpp).
class other_parts {
 public:
  [[nodiscard]] bool have(const debug_lines::line& at) const {
    return !names_.empty() && (at.number == 0 || std::binary_search(names_.begin(), names_.end(),
                                                                    name_of_file(at.file)));
  }

 private:
  std::vector<std::string> names_ = parts_that_are_not_ours();
};

}  // namespace

std::vector<std::string> unseen_instructions(const image& program) {
  // Passed by its descriptor: under emulation, /proc/<pid>/exe is the emulator.
  const int file = open("/proc/self/exe", O_RDONLY);  // NOLINT(android-cloexec-open): for objdump
  const std::string command = "exec \"$(command -v " + std::string(objdump) +
                              " || echo objdump)\" --disassemble --no-show-raw-insn --wide "
                              "/proc/self/fd/" +
                              std::to_string(file) + " 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(popen(command.c_str(), "r"), &pclose);
  std::vector<std::string> found;
  debug_lines lines;
  const bool by_clang = compiler_of_program() == compiler::clang;
  announced_loads loads;
  const other_parts others;
  char* line = nullptr;
  std::size_t size = 0;
  std::size_t instructions = 0;
  for (ssize_t n; out && (n = getline(&line, &size, out.get())) > 0;) {
    const std::string_view text(line, static_cast<std::size_t>(n) - 1);
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) continue;
    ++instructions;
    const std::string one = without_padding(text.substr(tab + 1));
    const std::uintptr_t address = program.base() + std::strtoull(line, nullptr, 16);
    if (by_clang) loads.note(text.substr(tab + 1), address);
    if (asks_for_a_thread_local(text.substr(tab + 1)))
      found.emplace_back("__tls_get_addr(), which the linker has left in place");
    const instruction what = kind_of(one);
    if (what == instruction::other || loads.leave(one, address, lines)) continue;
    // clang passes structures by such copies. fencepost c++ has asked clang about assembly code.
    if (by_clang && what == instruction::of_many_bytes) continue;
    const debug_lines::line at = lines.at(address).front();
    if (what != instruction::of_many_bytes || !others.have(at))
      found.push_back(in_words(one, what, at));
  }
  std::free(line);
  close(file);
  if (instructions == 0)
    found.emplace_back(
        "instructions that cannot be examined\n    instead: install objdump, from the package "
        "binutils");
  return found;
}

}  // namespace fencepost::programs
