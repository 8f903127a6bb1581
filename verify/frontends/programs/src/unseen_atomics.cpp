#include "unseen_atomics.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "debug_lines.hpp"

namespace fencepost::programs {
namespace {

// One space after each word, and nothing behind the operands.
std::string without_padding(std::string_view text) {
  std::string all;
  for (const char c : text.substr(0, text.find_first_of("#<")))
    if (c != ' ' || !all.ends_with(' ')) all += c;
  while (all.ends_with(' ')) all.pop_back();
  return all;
}

// With a prefix; an exchange with memory needs none.
bool is_atomic(std::string_view instruction) {
  constexpr std::size_t none = std::string_view::npos;
  const bool has_memory = instruction.find_first_of("(:") != none || instruction.find("0x") != none;
  return instruction.find("lock ") != none || (instruction.starts_with("xchg ") && has_memory);
}

std::string in_words(std::string_view instruction, std::uintptr_t address, debug_lines& lines) {
  const debug_lines::line at = lines.at(address).front();
  std::string text = "'" + std::string(instruction) + "'";
  if (!at.function.empty())  // in C++ with its parameters
    text += " in " + at.function + (at.function.find('(') == std::string::npos ? "()" : "");
  if (at.number != 0)
    text += " at " + at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.number);
  return text +
         ": an atomic instruction of assembly code, or of what fencepost c++ or cc did not compile"
         "\n    instead: atomic objects, or builtins such as __atomic_fetch_add()";
}

}  // namespace

std::vector<std::string> unseen_atomics(const image& program) {
  const std::string command = "exec objdump --disassemble --no-show-raw-insn --wide /proc/" +
                              std::to_string(getpid()) + "/exe 2>/dev/null";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(popen(command.c_str(), "r"), &pclose);
  std::vector<std::string> found;
  debug_lines lines;
  char* line = nullptr;
  std::size_t size = 0;
  std::size_t instructions = 0;
  for (ssize_t n; out && (n = getline(&line, &size, out.get())) > 0;) {
    const std::string_view text(line, static_cast<std::size_t>(n) - 1);
    const std::size_t tab = text.find('\t');
    if (tab == std::string_view::npos) continue;
    ++instructions;
    const std::string instruction = without_padding(text.substr(tab + 1));
    if (is_atomic(instruction))
      found.push_back(
          in_words(instruction, program.base() + std::strtoull(line, nullptr, 16), lines));
  }
  std::free(line);
  if (instructions == 0)
    found.emplace_back(
        "instructions that cannot be looked at\n    instead: with objdump, of the package "
        "binutils");
  return found;
}

}  // namespace fencepost::programs
