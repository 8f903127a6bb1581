// Functions of the C library for bytes and texts, which compilers know as well. Their accesses to
// the program's memory are watched like the program's own.

#if defined(__aarch64__)
#include <link.h>
#include <unwind.h>

#include <span>
#endif

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::entered;
using fencepost::programs::session;

namespace {

[[gnu::always_inline]] inline void read(fencepost::programs::session& s, const void* p,
                                        std::size_t size) {
  s.read_for_program(p, size, FENCEPOST_CALL_SITE);
}

#if defined(__aarch64__)
// When an exception is handled, the unwinder copies registers into the frame of its own function.
// From there no caller can be found, and nothing is the program's.
constinit std::span<const char> unwinder;

int find_unwinder(dl_phdr_info* object, std::size_t, void*) {
  const auto* const known = reinterpret_cast<const char*>(&_Unwind_GetCFA);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& p = object->dlpi_phdr[i];
    const auto* const begin = reinterpret_cast<const char*>(object->dlpi_addr + p.p_vaddr);
    if (p.p_type == PT_LOAD && known >= begin && known < begin + p.p_memsz)
      unwinder = {begin, p.p_memsz};
  }
  return unwinder.empty() ? 0 : 1;
}

bool is_of_unwinder(const void* code) {
  if (unwinder.empty()) dl_iterate_phdr(&find_unwinder, nullptr);
  return code >= unwinder.data() && code < unwinder.data() + unwinder.size();
}
#else
constexpr bool is_of_unwinder(const void*) { return false; }
#endif

// Libraries call these for themselves as well, so each call ends with a jump, either to the C
// library's function or to one of the following, which find the program's frame as if the program
// had called them.
[[gnu::noinline]] void* watched_memcpy(void* to, const void* from, std::size_t size) {
  if (const entered s; s) s->copy(to, from, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(memcpy)(to, from, size);
}
[[gnu::noinline]] void* watched_memmove(void* to, const void* from, std::size_t size) {
  if (const entered s; s) s->copy(to, from, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(memmove)(to, from, size);
}

// From the second call on, these are a single jump.
using copying = void* (*)(void*, const void*, std::size_t);
extern constinit copying own_memcpy, own_memmove;
void* first_memcpy(void* to, const void* from, std::size_t size) {
  own_memcpy = FENCEPOST_BEHIND(memcpy);
  return own_memcpy(to, from, size);
}
void* first_memmove(void* to, const void* from, std::size_t size) {
  own_memmove = FENCEPOST_BEHIND(memmove);
  return own_memmove(to, from, size);
}
constinit copying own_memcpy = &first_memcpy, own_memmove = &first_memmove;

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) noexcept {
  if (session::is_called_by_program() && !is_of_unwinder(__builtin_return_address(0)))
    return watched_memcpy(to, from, size);
  return FENCEPOST_BEHIND(memcpy)(to, from, size);
}

void* memmove(void* to, const void* from, std::size_t size) noexcept {
  if (session::is_called_by_program() && !is_of_unwinder(__builtin_return_address(0)))
    return watched_memmove(to, from, size);
  return FENCEPOST_BEHIND(memmove)(to, from, size);
}

void* memset(void* to, int byte, std::size_t size) noexcept {
  if (!is_of_unwinder(__builtin_return_address(0)))
    if (const entered s(to); s) s->overwrite(to, size, s->place(FENCEPOST_CALL_SITE));
  return FENCEPOST_BEHIND(memset)(to, byte, size);
}

// What the runtime itself calls: the linker replaces memcpy and memmove by these (--wrap).
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
void* __wrap_memcpy(void* to, const void* from, std::size_t size) noexcept {
  return own_memcpy(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) noexcept {
  return own_memmove(to, from, size);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

// The names that clang 15 and later versions call for their own copies and fills.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
[[gnu::nonnull, gnu::alias("memcpy")]] void* __tsan_memcpy(void*, const void*,
                                                           std::size_t) noexcept;
[[gnu::nonnull, gnu::alias("memmove")]] void* __tsan_memmove(void*, const void*,
                                                             std::size_t) noexcept;
[[gnu::nonnull, gnu::alias("memset")]] void* __tsan_memset(void*, int, std::size_t) noexcept;
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

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

std::size_t strnlen(const char* text, std::size_t most) noexcept {
  std::size_t length = 0;
  while (length < most && text[length] != 0) ++length;
  if (const entered s; s) read(*s, text, std::min(length + 1, most));
  return length;
}

// The C++ headers declare two functions of each of these names.
#define FENCEPOST_FIND(name, type, what_type)                                        \
  type name##_behind(type text, what_type what) noexcept {                           \
    using function = type (*)(type, what_type);                                      \
    static constinit function behind = nullptr;                                      \
    if (behind == nullptr) behind = fencepost::programs::c_library<function>(#name); \
    return behind(text, what);                                                       \
  }                                                                                  \
  type find_##name(type text, what_type what) noexcept __asm__(#name);               \
  type find_##name(type text, what_type what) noexcept {                             \
    if (const entered s; s) read(*s, text, FENCEPOST_BEHIND(strlen)(text) + 1);      \
    return name##_behind(text, what);                                                \
  }
FENCEPOST_FIND(strchr, char*, int)
FENCEPOST_FIND(strrchr, char*, int)
#undef FENCEPOST_FIND

char* find_strstr(char* text, const char* what) noexcept __asm__("strstr");
char* find_strstr(char* text, const char* what) noexcept {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(what);
  if (const entered s; s) {
    read(*s, text, FENCEPOST_BEHIND(strlen)(text) + 1);
    read(*s, what, length + 1);
  }
  for (; FENCEPOST_BEHIND(strncmp)(text, what, length) != 0; ++text)
    if (*text == 0) return nullptr;
  return text;
}

// Reads up to the byte that is found, or to the end.
char* find_memchr(char* bytes, int byte, std::size_t size) noexcept __asm__("memchr");
char* find_memchr(char* bytes, int byte, std::size_t size) noexcept {
  char* at = bytes;
  while (at != bytes + size && *at != static_cast<char>(byte)) ++at;
  const bool found = at != bytes + size;
  if (const entered s; s) read(*s, bytes, static_cast<std::size_t>(at - bytes) + (found ? 1 : 0));
  return found ? at : nullptr;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
