// Static objects that the program destroys at its exit, as far as its symbol table has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "exit_calls.hpp"

namespace fencepost::programs {

class image;

class static_objects {
 public:
  explicit static_objects(const image& program) : program_(program) {}
  static_objects(const static_objects&) = delete;
  static_objects& operator=(const static_objects&) = delete;

  // True if this is the guard of a local static.
  bool is_guard(const volatile void*);
  // The size of the variable that the call destroys. 0 if it destroys none, or there is no symbol.
  std::size_t destroyed_by(const exit_call&);

 private:
  void read_symbols();
  [[nodiscard]] bool is_destructor(void (*function)(void*)) const;

  const image& program_;
  std::unordered_map<std::uintptr_t, std::size_t> sizes_;  // of variables
  std::unordered_set<std::uintptr_t> guards_;
  std::unordered_set<std::uintptr_t> destructors_;  // of the program itself
  bool is_read_ = false;
};

}  // namespace fencepost::programs
