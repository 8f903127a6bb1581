// Accesses by functions of the runtime to memory whose address the program has passed: a bad
// address is the program's mistake, and is reported as one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>

#include "c_library.hpp"
#include "session.hpp"

namespace fencepost::programs {

class as_program {
 public:
  as_program() noexcept { set(true); }
  ~as_program() { set(false); }
  as_program(const as_program&) = delete;
  as_program& operator=(const as_program&) = delete;

 private:
  // The compiler must not move accesses out of the object's lifetime.
  static void set(bool is_program) noexcept {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    session::in_body() = is_program;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
};

// For memory that is only accessed later.
inline void require_memory(const void* p) {
  const as_program here;
  static_cast<void>(*static_cast<const volatile char*>(p));
}

template <class T>
T read_value(session& s, const T* from, const source_location& where) {
  s.read(from, sizeof *from, where);
  const as_program here;
  return *from;
}

template <class T>
void write_value(session& s, T* to, T v, const source_location& where) {
  s.write(to, sizeof *to, where);
  const as_program here;
  *to = v;
}

inline std::size_t length_of(const char* text) {
  const auto length = FENCEPOST_BEHIND(strlen);
  const as_program here;
  return length(text);
}

inline void copy_bytes(void* to, const void* from, std::size_t size) {
  const auto copy = FENCEPOST_BEHIND(memcpy);
  const as_program here;
  copy(to, from, size);
}

}  // namespace fencepost::programs
