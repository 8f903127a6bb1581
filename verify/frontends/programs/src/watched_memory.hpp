// Accesses to the program's memory that a library function makes on the program's behalf.
#pragma once

#include <cstddef>

#include "session.hpp"

namespace fencepost::programs {

inline void watch_read(const void* p, std::size_t size, const call_site& c) noexcept {
  if (const entered s; s) s->read_for_program(p, size, c);
}

// To be called before the write.
inline void watch_write(const void* p, std::size_t size, const call_site& c) noexcept {
  if (const entered s(p); s) s->write(p, size, s->place(c));
}

inline void watch_copy(const void* to, const void* from, std::size_t size,
                       const call_site& c) noexcept {
  if (const entered s; s) s->copy(to, from, size, s->place(c));
}

}  // namespace fencepost::programs
