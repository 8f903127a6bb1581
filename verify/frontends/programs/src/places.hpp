// Places in the source: of the code that made an access, or of its caller if that code is the
// standard library's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "debug_lines.hpp"
#include "exit_calls.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::programs {

class image;

class places {
 public:
  explicit places(const image& program) : program_(program) {}
  places(const places&) = delete;
  places& operator=(const places&) = delete;

  // True if the code at the address is in no line of the program's own.
  bool is_in_library(const void* return_address) {
    return at(reinterpret_cast<std::uintptr_t>(return_address)).in_library;
  }
  // The place of the call that returns to this address, made by a function whose callee has this
  // frame. If it is in a library, callers are searched up to the frame `top`; if none of them is
  // the program's, the place is that of the `exit` call.
  source_location of(const void* return_address, const void* frame, const void* top,
                     const exit_call& exit) {
    const place& innermost = at(reinterpret_cast<std::uintptr_t>(return_address));
    return innermost.in_library ? of_call(innermost, frame, top, exit) : innermost.where;
  }
  // Where the object is declared, as far as this is known: its destructor is registered there.
  source_location of_destructor(const exit_call&);
  // The program's name of its variable at the address, or "" if it is not known.
  [[nodiscard]] std::string variable_at(const void*) const;

 private:
  struct place {
    source_location where;
    bool in_library = false;  // code of a library or of its headers
    bool in_program = false;  // in the executable
  };
  const place& at(std::uintptr_t return_address) {
    const recent& r = recent_[slot(return_address)];
    return r.return_address == return_address && r.is != nullptr ? *r.is : find(return_address);
  }
  const place& find(std::uintptr_t return_address);

  // A cache of recent lookups: most accesses are made by the same code.
  struct recent {
    std::uintptr_t return_address = 0;
    const place* is = nullptr;
  };
  static constexpr std::size_t recents = 512;
  static std::size_t slot(std::uintptr_t return_address) noexcept {
    return return_address / 2 % recents;
  }

  source_location of_call(const place& innermost, const void* frame, const void* top,
                          const exit_call&);
  const source_location* of_caller(const void* frame, const void* top);
  const source_location* of_caller_of_library(const void* top);

  const image& program_;
  debug_lines lines_;
  std::unordered_map<std::uintptr_t, place> known_;
  std::array<recent, recents> recent_{};
  std::unordered_map<const void*, const char*> destructors_;  // by their objects
  std::set<std::string> names_;
};

}  // namespace fencepost::programs
