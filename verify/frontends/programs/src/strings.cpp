// Functions of the C library that access the memory of the program: their accesses are watched as
// those of the program are.

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::entered;

namespace {

[[gnu::always_inline]] inline void read(fencepost::programs::session& s, const void* p,
                                        std::size_t size) {
  if (s.owns(p)) s.read(p, size, s.place(FENCEPOST_CALL_SITE));
}

// What was read of a text as a number, and where it ends.
template <class T>
T number(T value, const char* text, char* end, char** to, int error,
         const fencepost::programs::call_site& c) noexcept {
  if (const entered s; s) {
    const fencepost::source_location where = s->place(c);
    if (s->owns(text)) s->read(text, static_cast<std::size_t>(end - text) + 1, where);
    if (error != 0) s->error_number() = error;
    if (to != nullptr) s->write(to, sizeof *to, where);
  }
  if (to != nullptr) *to = end;
  return value;
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

#define FENCEPOST_NUMBER(type, name)                                             \
  type name(const char* text, char** end, int base) noexcept {                   \
    char* stop = nullptr;                                                        \
    *FENCEPOST_BEHIND(__errno_location)() = 0;                                   \
    const type value = FENCEPOST_BEHIND(name)(text, &stop, base);                \
    return number(value, text, stop, end, *FENCEPOST_BEHIND(__errno_location)(), \
                  FENCEPOST_CALL_SITE);                                          \
  }
FENCEPOST_NUMBER(long, strtol)
FENCEPOST_NUMBER(long long, strtoll)
FENCEPOST_NUMBER(unsigned long, strtoul)
FENCEPOST_NUMBER(unsigned long long, strtoull)
#undef FENCEPOST_NUMBER

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
