// The functions of an object file: their instructions, each with the line that it comes from and
// those that this was inlined into, and what they call.
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

// What `objdump -drl --inlines --no-show-raw-insn` prints.
object_code read_objdump(std::istream& listing);

// The name of an instruction that orders, or that reads and writes memory at once; empty for any
// other: "lock cmpxchg", "mfence", "dmb ish", "ldar", "casal", "stlxr". Those of x86-64 and
// AArch64, without what says the size.
std::string order_of(const std::string& instruction);

}  // namespace codegen
