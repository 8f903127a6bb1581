// Lines of the source, from the debug information of the running program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "execute/debug_session.hpp"

namespace fencepost::programs {

class debug_lines {
 public:
  struct line {
    std::string file;
    std::string function;
    unsigned number = 0;  // 0 if unknown
    unsigned column = 0;
  };

  // The line of the code at the address, then those of the calls that inlined it: at least one.
  [[nodiscard]] std::vector<line> at(std::uintptr_t address);
  // The name of the variable at the address, or "" if it is not known; "table+8" inside a variable.
  [[nodiscard]] std::string variable_at(std::uintptr_t address) const;

 private:
  using entry = verify::libdw::entry;

  // A call that was inlined.
  struct call {
    std::uint64_t begin, end;
    std::string file;
    unsigned number, column;
  };

  void add_calls(entry& parent, void* files, std::size_t file_count, const char* folder,
                 std::vector<call>& all) const;
  const std::vector<call>& calls_in(entry& unit, const char* folder);

  verify::debug_session known_;
  std::map<void*, std::vector<call>> calls_;  // by unit
};

}  // namespace fencepost::programs
