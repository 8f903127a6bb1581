#include "unseen_atomics.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <string_view>

#include "compiler.hpp"
#include "debug_lines.hpp"

namespace fencepost::programs {
namespace {

// One space after each word, and nothing behind the operands.
std::string without_padding(std::string_view text) {
  std::string all;
  for (const char c : text.substr(0, text.find_first_of("#<"))) {
    const bool separates = c == ' ' || c == '\t';
    if (!separates || !all.ends_with(' ')) all += separates ? ' ' : c;
  }
  while (all.ends_with(' ')) all.pop_back();
  return all;
}

#if defined(__aarch64__)
// Debian's name of objdump for this machine, which is not the one that runs it where it is
// emulated.
constexpr const char* objdump = "aarch64-linux-gnu-objdump";

// Pairs of exclusive accesses, those of LSE, and accesses with an order.
bool is_atomic(std::string_view instruction) {
  constexpr std::string_view beginnings[] = {
      "ldx",   "ldax",   "stx",    "stlx",   "ldar",   "ldapr", "stlr",  "stllr",
      "ldlar", "ldapur", "stlur",  "cas",    "swp",    "ldadd", "ldclr", "ldeor",
      "ldset", "ldsmax", "ldsmin", "ldumax", "ldumin", "stadd", "stclr", "steor",
      "stset", "stsmax", "stsmin", "stumax", "stumin"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view b) { return instruction.starts_with(b); });
}
bool is_fence(std::string_view instruction) {
  return instruction.starts_with("dmb") || instruction.starts_with("dsb");
}
#else
constexpr const char* objdump = "x86_64-linux-gnu-objdump";

// With a prefix; an exchange with memory needs none.
bool is_atomic(std::string_view instruction) {
  constexpr std::size_t none = std::string_view::npos;
  const bool has_memory = instruction.find_first_of("(:") != none || instruction.find("0x") != none;
  return instruction.find("lock ") != none || (instruction.starts_with("xchg ") && has_memory);
}

// Those before and after non-temporal accesses order no others.
bool is_fence(std::string_view instruction) { return instruction.starts_with("mfence"); }
#endif

// clang leaves an atomic load of 16 bytes where it is, behind the call that announces it, and uses
// the result of the call. What is left is an exchange of zero for zero at the line of the call,
// with no other call or jump between them.
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
  std::uintptr_t call_ = 0;  // the last one; 0: none
};

std::string in_words(std::string_view instruction, std::uintptr_t address, debug_lines& lines) {
  const debug_lines::line at = lines.at(address).front();
  std::string text = "'" + std::string(instruction) + "'";
  if (!at.function.empty())  // in C++ with its parameters
    text += " in " + at.function + (at.function.find('(') == std::string::npos ? "()" : "");
  if (at.number != 0)
    text += " at " + at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.number);
  if (is_fence(instruction))
    return text +
           ": a fence of assembly code, or of what fencepost c++ or cc did not compile"
           "\n    instead: std::atomic_thread_fence(), or __atomic_thread_fence()";
  return text +
         ": an atomic instruction of assembly code, or of what fencepost c++ or cc did not compile"
         "\n    instead: atomic objects, or builtins such as __atomic_fetch_add()";
}

}  // namespace

std::vector<std::string> unseen_atomics(const image& program) {
  // By its descriptor: where the program is emulated, /proc/<pid>/exe is the emulator.
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
  char* line = nullptr;
  std::size_t size = 0;
  std::size_t instructions = 0;
  for (ssize_t n; out && (n = getline(&line, &size, out.get())) > 0;) {
    const std::string_view text(line, static_cast<std::size_t>(n) - 1);
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) continue;
    ++instructions;
    const std::string instruction = without_padding(text.substr(tab + 1));
    const std::uintptr_t address = program.base() + std::strtoull(line, nullptr, 16);
    if (by_clang) loads.note(text.substr(tab + 1), address);
    const bool is_unseen = is_atomic(instruction) || is_fence(instruction);
    if (is_unseen && !loads.leave(instruction, address, lines))
      found.push_back(in_words(instruction, address, lines));
  }
  std::free(line);
  close(file);
  if (instructions == 0)
    found.emplace_back(
        "instructions that cannot be looked at\n    instead: with objdump, of the package "
        "binutils");
  return found;
}

}  // namespace fencepost::programs
