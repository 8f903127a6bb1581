// Functions of the C and C++ libraries that read numbers from the program's texts, or write them
// there. Their accesses are watched like the program's own.

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;
using fencepost::programs::watch_read;
using fencepost::programs::watch_write;

namespace {

// glibc 2.38 gives the functions another name for C23, which its headers use for C++. An older one
// has only the name without the prefix.
template <class Function>
Function behind(std::string_view name) {
  constexpr std::string_view newer = "__isoc23_";
  if (void* const found = dlsym(RTLD_NEXT, name.data())) return reinterpret_cast<Function>(found);
  if (name.starts_with(newer)) name.remove_prefix(newer.size());
  return fencepost::programs::c_library<Function>(name.data());
}

// Returns the number that the C library finds in the text, and stores where it ends.
template <class T, class... Base>
T read_number(T (*function)(const char*, char**, Base...), const char* text, char** to,
              const call_site& c, Base... base) {
  int& error = *FENCEPOST_BEHIND(__errno_location)();
  char* end = nullptr;
  error = 0;
  const T value = function(text, &end, base...);
  watch_read(text, static_cast<std::size_t>(end - text) + 1, c);
  if (const entered s; s) {
    if (error != 0) s->library().error_number() = error;
    if (to != nullptr) s->write(to, sizeof *to, s->place(c));
  }
  if (to != nullptr) *to = end;
  return value;
}

}  // namespace

extern "C" {

// Declared by names of their own, since newer headers give the functions other symbols.
#define FENCEPOST_NUMBER(type, name)                                                   \
  type fencepost_##name(const char*, char**, int) noexcept __asm__(#name);             \
  type fencepost_##name(const char* text, char** end, int base) noexcept {             \
    using function = type (*)(const char*, char**, int);                               \
    return read_number(behind<function>(#name), text, end, FENCEPOST_CALL_SITE, base); \
  }
FENCEPOST_NUMBER(long, strtol)
FENCEPOST_NUMBER(long long, strtoll)
FENCEPOST_NUMBER(unsigned long, strtoul)
FENCEPOST_NUMBER(unsigned long long, strtoull)
FENCEPOST_NUMBER(long, __isoc23_strtol)
FENCEPOST_NUMBER(long long, __isoc23_strtoll)
FENCEPOST_NUMBER(unsigned long, __isoc23_strtoul)
FENCEPOST_NUMBER(unsigned long long, __isoc23_strtoull)
FENCEPOST_NUMBER(std::intmax_t, strtoimax)
FENCEPOST_NUMBER(std::uintmax_t, strtoumax)
FENCEPOST_NUMBER(std::intmax_t, __isoc23_strtoimax)
FENCEPOST_NUMBER(std::uintmax_t, __isoc23_strtoumax)
#undef FENCEPOST_NUMBER

#define FENCEPOST_NUMBER(type, name)                                            \
  type fencepost_##name(const char*, char**) noexcept __asm__(#name);           \
  type fencepost_##name(const char* text, char** end) noexcept {                \
    return read_number(behind<type (*)(const char*, char**)>(#name), text, end, \
                       FENCEPOST_CALL_SITE);                                    \
  }
FENCEPOST_NUMBER(float, strtof)
FENCEPOST_NUMBER(double, strtod)
FENCEPOST_NUMBER(long double, strtold)
#undef FENCEPOST_NUMBER

#define FENCEPOST_NUMBER(type, name, like, ...)                                                \
  type fencepost_##name(const char*) noexcept __asm__(#name);                                  \
  type fencepost_##name(const char* text) noexcept {                                           \
    const auto function = behind<decltype(&fencepost_##like)>(#like);                          \
    return static_cast<type>(                                                                  \
        read_number(function, text, nullptr, FENCEPOST_CALL_SITE __VA_OPT__(, ) __VA_ARGS__)); \
  }
FENCEPOST_NUMBER(int, atoi, strtol, 10)
FENCEPOST_NUMBER(long, atol, strtol, 10)
FENCEPOST_NUMBER(long long, atoll, strtoll, 10)
FENCEPOST_NUMBER(double, atof, strtod)
#undef FENCEPOST_NUMBER

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,bugprone-macro-parentheses)

// Both results are returned in two words, like the library's.
struct fencepost_read {
  const char* end;
  std::errc error;
};
struct fencepost_written {
  char* end;
  std::errc error;
};

// std::from_chars(): the number is written to the program's memory once the write is announced.
#define FENCEPOST_NUMBER(type, symbol)                                             \
  fencepost_read symbol(const char* first, const char* last, type& to,             \
                        std::chars_format format) noexcept {                       \
    type value{};                                                                  \
    const fencepost_read r = FENCEPOST_BEHIND(symbol)(first, last, value, format); \
    watch_read(first, static_cast<std::size_t>(std::min(r.end + 1, last) - first), \
               FENCEPOST_CALL_SITE);                                               \
    if (r.error != std::errc()) return r;                                          \
    watch_write(&to, sizeof to, FENCEPOST_CALL_SITE);                              \
    to = value;                                                                    \
    return r;                                                                      \
  }
FENCEPOST_NUMBER(float, _ZSt10from_charsPKcS0_RfSt12chars_format)
FENCEPOST_NUMBER(double, _ZSt10from_charsPKcS0_RdSt12chars_format)
FENCEPOST_NUMBER(long double, _ZSt10from_charsPKcS0_ReSt12chars_format)
#undef FENCEPOST_NUMBER

// std::to_chars(): how much is written is known only afterwards. If the array is too short, any
// part of it is written.
#define FENCEPOST_NUMBER(symbol, declared, ...)                                         \
  fencepost_written symbol declared noexcept {                                          \
    const fencepost_written r = FENCEPOST_BEHIND(symbol)(__VA_ARGS__);                  \
    if (r.end != first)                                                                 \
      watch_write(first, static_cast<std::size_t>(r.end - first), FENCEPOST_CALL_SITE); \
    return r;                                                                           \
  }
#define FENCEPOST_NUMBERS(type, letter)                                                            \
  FENCEPOST_NUMBER(_ZSt8to_charsPcS_##letter, (char* first, char* last, type number), first, last, \
                   number)                                                                         \
  FENCEPOST_NUMBER(_ZSt8to_charsPcS_##letter##St12chars_format,                                    \
                   (char* first, char* last, type number, std::chars_format format), first, last,  \
                   number, format)                                                                 \
  FENCEPOST_NUMBER(                                                                                \
      _ZSt8to_charsPcS_##letter##St12chars_formati,                                                \
      (char* first, char* last, type number, std::chars_format format, int precision), first,      \
      last, number, format, precision)
FENCEPOST_NUMBERS(float, f)
FENCEPOST_NUMBERS(double, d)
FENCEPOST_NUMBERS(long double, e)
#undef FENCEPOST_NUMBERS
#undef FENCEPOST_NUMBER
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,bugprone-macro-parentheses)

}  // extern "C"
