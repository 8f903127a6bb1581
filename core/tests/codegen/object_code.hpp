// The functions of an object file: their instructions, each with its source line and the lines that
// it was inlined into, and the functions that they call.
#pragma once

#include <cstddef>
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace codegen {

struct source_place {
  std::string file;
  std::size_t line = 0;
};

struct instruction {
  std::string text;
  std::vector<source_place> places;  // the innermost first
};

struct object_function {
  std::vector<instruction> instructions;
  std::set<std::string> calls;
};

using object_code = std::map<std::string, object_function>;  // by mangled name

// Reads what `objdump -drl --inlines --no-show-raw-insn` prints.
object_code read_objdump(std::istream& listing);

// The name of an instruction that orders memory accesses or is part of an atomic read-modify-write,
// such as "lock cmpxchg", "mfence", "dmb ish", "ldar", "casal" or "stlxr"; empty for any other.
// Supports x86-64 and AArch64; suffixes for the size are removed.
std::string order_of(const std::string& instruction);

}  // namespace codegen
