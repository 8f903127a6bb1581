// sscanf() and vsscanf(), watched for data races. The text is read to its end, as the C library
// does. Assignments are watched after the call, when the number of conversions is known.

#include <dlfcn.h>

#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <string_view>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;
using fencepost::programs::watch_read;
using fencepost::programs::watch_write;
using fencepost::verify::allocation_hook;

namespace {

// The stores of a call: to the targets of the first `done` conversions of its format.
class assigned {
 public:
  assigned(const char* format, std::va_list arguments, int done, bool of_c90, const call_site& c)
      : at_(format), left_(done), of_c90_(of_c90), caller_(c) {
    va_copy(arguments_, arguments);
  }
  ~assigned() { va_end(arguments_); }
  assigned(const assigned&) = delete;
  assigned& operator=(const assigned&) = delete;

  void watch() {
    while (*at_ != 0 && left_ >= 0)
      if (*at_++ == '%') watch_one();
  }

 private:
  [[nodiscard]] bool is_one_of(std::string_view characters) const {
    return *at_ != 0 && characters.find(*at_) != std::string_view::npos;
  }

  void watch_one() {
    if (*at_ == '%') {
      ++at_;
      return;
    }
    const bool is_skipped = *at_ == '*';
    if (is_skipped) ++at_;
    std::size_t width = 0;
    for (; is_one_of("'I0123456789"); ++at_)
      if (is_one_of("0123456789"))
        width =
            std::min<std::size_t>(width, INT_MAX / 10 - 1) * 10 + static_cast<unsigned>(*at_ - '0');
    if (is_one_of("$m") || allocates_as_in_c90()) refuse();
    const char* const length = at_;
    while (is_one_of("hlqLjzt")) ++at_;
    const std::string_view l(length, static_cast<std::size_t>(at_ - length));
    const char conversion = *at_;
    pass_conversion();
    if (is_skipped || conversion == 0) return;
    // It is not known whether a %n after the last conversion was reached: it counts as a store.
    if (conversion != 'n' && --left_ < 0) return;
    const void* const to = va_arg(arguments_, const void*);
    watch_write(to, size_of(conversion, l, to, width), caller_);
  }

  // The GNU extension: the 'a' of "%as" is then no conversion of its own.
  [[nodiscard]] bool allocates_as_in_c90() const {
    return of_c90_ && *at_ == 'a' && std::string_view("sS[").find(at_[1]) != std::string_view::npos;
  }

  // Skips the conversion and its characters between brackets, the first of which may be a bracket.
  void pass_conversion() {
    if (*at_ == 0 || *at_++ != '[') return;
    if (*at_ == '^') ++at_;
    if (*at_ == ']') ++at_;
    while (*at_ != 0 && *at_++ != ']') {
    }
  }

  static std::size_t size_of(char conversion, std::string_view length, const void* to,
                             std::size_t width) {
    const auto is_one_of = [&](const char* all) { return std::strchr(all, conversion) != nullptr; };
    const bool is_wide = length == "l" || is_one_of("SC");
    if (is_one_of("cC")) return std::max<std::size_t>(width, 1) * (is_wide ? sizeof(wchar_t) : 1);
    if (is_one_of("sS[") && is_wide)
      return (std::wcslen(static_cast<const wchar_t*>(to)) + 1) * sizeof(wchar_t);
    if (is_one_of("sS[")) return std::strlen(static_cast<const char*>(to)) + 1;
    if (is_one_of("aAeEfFgG") && length != "l")
      return length.empty() ? sizeof(float) : sizeof(long double);
    if (is_one_of("paAeEfFgG")) return sizeof(void*);  // also the size of a double
    if (length == "hh") return sizeof(char);
    if (length == "h") return sizeof(short);
    return length.empty() ? sizeof(int) : sizeof(long);
  }

  void refuse() const {
    if (const entered s; s)
      s->reach_limit("a format that numbers its arguments, or allocates, is not modelled",
                     s->place(caller_));
  }

  const char* at_;
  int left_;
  bool of_c90_;
  std::va_list arguments_;
  call_site caller_;
};

// The C library's function: that of C99 if it does not have the one that newer headers use.
using scan_function = int (*)(const char*, const char*, std::va_list);
scan_function behind(const char* name) {
  void* const found = dlsym(RTLD_NEXT, name);
  return found == nullptr ? fencepost::programs::c_library<scan_function>("__isoc99_vsscanf")
                          : reinterpret_cast<scan_function>(found);
}

int scan(const char* function, const char* text, const char* format, std::va_list arguments,
         const call_site& c) {
  const scan_function f = behind(function);
  if (!allocation_hook::in_body) return f(text, format, arguments);
  watch_read(format, FENCEPOST_BEHIND(strlen)(format) + 1, c);
  watch_read(text, FENCEPOST_BEHIND(strlen)(text) + 1, c);
  std::va_list again;
  va_copy(again, arguments);
  const int done = f(text, format, again);
  va_end(again);
  const bool of_c90 = std::string_view(function) == "vsscanf";
  assigned(format, arguments, std::max(done, 0), of_c90, c).watch();
  return done;
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

#define FENCEPOST_SCAN(name, symbol, with_list, symbol_with_list)                           \
  int with_list(const char*, const char*, std::va_list) noexcept __asm__(symbol_with_list); \
  int with_list(const char* text, const char* format, std::va_list arguments) noexcept {    \
    return scan(symbol_with_list, text, format, arguments, FENCEPOST_CALL_SITE);            \
  }                                                                                         \
  int name(const char*, const char*, ...) noexcept __asm__(symbol);                         \
  int name(const char* text, const char* format, ...) noexcept {                            \
    std::va_list arguments;                                                                 \
    va_start(arguments, format);                                                            \
    const int done = scan(symbol_with_list, text, format, arguments, FENCEPOST_CALL_SITE);  \
    va_end(arguments);                                                                      \
    return done;                                                                            \
  }
FENCEPOST_SCAN(fencepost_scan_90, "sscanf", fencepost_scan_list_90, "vsscanf")
FENCEPOST_SCAN(fencepost_scan_99, "__isoc99_sscanf", fencepost_scan_list_99, "__isoc99_vsscanf")
FENCEPOST_SCAN(fencepost_scan_23, "__isoc23_sscanf", fencepost_scan_list_23, "__isoc23_vsscanf")
#undef FENCEPOST_SCAN

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
