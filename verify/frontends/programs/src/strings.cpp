// Functions of the C library that access the memory of the program: their accesses are watched as
// those of the program are.

#include <algorithm>
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

void memcpy_of_program(void* to, const void* from, std::size_t size,
                       const fencepost::programs::call_site& c) noexcept {
  if (const entered s; s) s->copy(to, from, size, s->place(c));
  FENCEPOST_BEHIND(memcpy)(to, from, size);
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

int strncmp(const char* a, const char* b, std::size_t size) noexcept {
  if (const entered s; s) {
    std::size_t same = 0;
    while (same < size && a[same] == b[same] && a[same] != 0) ++same;
    read(*s, a, std::min(same + 1, size));
    read(*s, b, std::min(same + 1, size));
  }
  return FENCEPOST_BEHIND(strncmp)(a, b, size);
}

char* strcpy(char* to, const char* from) noexcept {
  memcpy_of_program(to, from, FENCEPOST_BEHIND(strlen)(from) + 1, FENCEPOST_CALL_SITE);
  return to;
}

char* strcat(char* to, const char* from) noexcept {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(to);
  if (const entered s; s) read(*s, to, length + 1);
  memcpy_of_program(to + length, from, FENCEPOST_BEHIND(strlen)(from) + 1, FENCEPOST_CALL_SITE);
  return to;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
