// Lines of the source, from the debug information of the running program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fencepost::programs {

class debug_lines {
 public:
  struct line {
    std::string file;
    std::string function;
    unsigned number = 0;  // 0: it is not known
    unsigned column = 0;
  };

  debug_lines();
  ~debug_lines();
  debug_lines(const debug_lines&) = delete;
  debug_lines& operator=(const debug_lines&) = delete;

  // Of the code at the address, and then the calls by which it was put in line: at least one.
  [[nodiscard]] std::vector<line> at(std::uintptr_t address) const;

 private:
  class library;
  std::unique_ptr<library> library_;
};

}  // namespace fencepost::programs
