// Functions of the C library that access the memory of the program: their accesses are watched as
// those of the program are.

#include <cstddef>
#include <cstring>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::entered;

namespace {

[[gnu::always_inline]] inline void read(fencepost::programs::session& s, const void* p,
                                        std::size_t size) {
  if (s.owns(p)) s.read(p, size, s.place(FENCEPOST_CALL_SITE));
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  if (const entered s; s) s->copy(to, from, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(memcpy)(to, from, size);
}

void* memmove(void* to, const void* from, std::size_t size) noexcept {
  if (const entered s; s) s->copy(to, from, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(memmove)(to, from, size);
}

void* memset(void* to, int byte, std::size_t size) noexcept {
  if (const entered s(to); s) s->write(to, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(memset)(to, byte, size);
}

int memcmp(const void* a, const void* b, std::size_t size) noexcept {
  if (const entered s; s) {
    read(*s, a, size);
    read(*s, b, size);
  }
  return FENCEPOST_BEHIND(memcmp)(a, b, size);
}

std::size_t strlen(const char* text) noexcept {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(text);
  if (const entered s; s) read(*s, text, length + 1);
  return length;
}

int strcmp(const char* a, const char* b) noexcept {
  if (const entered s; s) {
    std::size_t same = 0;
    while (a[same] == b[same] && a[same] != 0) ++same;
    read(*s, a, same + 1);
    read(*s, b, same + 1);
  }
  return FENCEPOST_BEHIND(strcmp)(a, b);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
