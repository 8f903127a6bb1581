// Functions of the C library that print texts, with or without a format. Their accesses to the
// program's memory are watched like the program's own.
#include "formats.hpp"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cwchar>
#include <limits>
#include <string_view>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;
using fencepost::programs::watch_read;
using fencepost::programs::watch_write;
using fencepost::verify::allocation_hook;

namespace {

constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

// Watches the accesses to what the arguments of a format point to.
class format_arguments {
 public:
  format_arguments(const char* format, std::va_list arguments, const call_site& c)
      : at_(format), caller_(c) {
    va_copy(arguments_, arguments);
  }
  ~format_arguments() { va_end(arguments_); }
  format_arguments(const format_arguments&) = delete;
  format_arguments& operator=(const format_arguments&) = delete;

  void watch() {
    while (*at_ != 0)
      if (*at_++ == '%') watch_one();
  }

 private:
  [[nodiscard]] bool is_one_of(std::string_view characters) const {
    return *at_ != 0 && characters.find(*at_) != std::string_view::npos;
  }

  // Takes an integer or a pointer. Their sizes make no difference in a register or on the stack.
  long next() { return va_arg(arguments_, long); }

  // A number of digits, or `*` for the next argument.
  int number() {
    if (*at_ == '*') {
      ++at_;
      return static_cast<int>(next());
    }
    int n = 0;
    for (; is_one_of("0123456789"); ++at_) n = std::min(n, INT_MAX / 10 - 1) * 10 + (*at_ - '0');
    return n;
  }

  std::size_t precision() {
    if (*at_ != '.') return no_limit;
    ++at_;
    const int n = number();
    return n < 0 ? no_limit : static_cast<std::size_t>(n);
  }

  void watch_one() {
    while (is_one_of("-+ #0'I")) ++at_;
    number();
    if (*at_ == '$') refuse();
    const std::size_t most = precision();
    const char* const length = at_;
    while (is_one_of("hlqLjzZt")) ++at_;
    watch_argument(std::string_view(length, static_cast<std::size_t>(at_ - length)), most);
    if (*at_ != 0) ++at_;
  }

  void watch_argument(std::string_view length, std::size_t most) {
    if (is_one_of("%m") || *at_ == 0) return;
    if (is_one_of("aAeEfFgG"))
      next_floating(length == "L");
    else if (*at_ == 'S' || (*at_ == 's' && length == "l"))
      watch_wide_text(reinterpret_cast<const wchar_t*>(next()), most);
    else if (*at_ == 's')
      watch_text(reinterpret_cast<const char*>(next()), most);
    else if (*at_ == 'n')
      watch_write(reinterpret_cast<const void*>(next()), size_of(length), caller_);
    else
      next();
  }

  void next_floating(bool is_long) {
    static_cast<void>(is_long ? va_arg(arguments_, long double) : va_arg(arguments_, double));
  }

  void watch_text(const char* text, std::size_t most) const {
    if (text == nullptr) return;
    std::size_t size = 0;
    while (size < most && text[size] != 0) ++size;
    watch_read(text, size + (size < most ? 1 : 0), caller_);
  }
  void watch_wide_text(const wchar_t* text, std::size_t most) const {
    if (text == nullptr) return;
    std::size_t size = 0;
    while (size < most && text[size] != 0) ++size;
    watch_read(text, (size + (size < most ? 1 : 0)) * sizeof *text, caller_);
  }

  static std::size_t size_of(std::string_view length) {
    if (length == "hh") return sizeof(char);
    if (length == "h") return sizeof(short);
    return length.empty() ? sizeof(int) : sizeof(long);
  }

  void refuse() const {
    if (const entered s; s)
      s->reach_limit("a format that numbers its arguments is not modelled", s->place(caller_));
  }

  const char* at_;
  std::va_list arguments_;
  call_site caller_;
};

void watch_text(const char* text, const call_site& c) noexcept {
  watch_read(text, FENCEPOST_BEHIND(strlen)(text) + 1, c);
}

void watch(const char* format, std::va_list arguments, const call_site& c) {
  if (!allocation_hook::in_body) return;
  watch_text(format, c);
  format_arguments(format, arguments, c).watch();
}

// For %m: the errno of the C library is the checker's, and gets the value of the program's.
void show_error_number() {
  int& shown = *FENCEPOST_BEHIND(__errno_location)();
  if (const entered s; s) shown = s->library().error_number();
}

// Formats the text only to get its length: the access must be announced before the write.
int length_of(const char* format, std::va_list arguments) noexcept {
  std::va_list again;
  va_copy(again, arguments);
  show_error_number();
  const int length = FENCEPOST_BEHIND(vsnprintf)(nullptr, 0, format, again);
  va_end(again);
  return length;
}

int print(char* to, std::size_t size, const char* format, std::va_list arguments,
          const call_site& c) {
  watch(format, arguments, c);
  const int length = length_of(format, arguments);
  if (length >= 0 && size != 0)
    watch_write(to, std::min(static_cast<std::size_t>(length) + 1, size), c);
  show_error_number();
  return FENCEPOST_BEHIND(vsnprintf)(to, size, format, arguments);
}

int print_to_block(char** to, const char* format, std::va_list arguments, const call_site& c) {
  if (!allocation_hook::in_body) return FENCEPOST_BEHIND(vasprintf)(to, format, arguments);
  const int length = length_of(format, arguments);
  if (length < 0) return length;
  const std::size_t size = static_cast<std::size_t>(length) + 1;
  char* const block =
      static_cast<char*>(allocation_hook::current->allocate(size, alignof(std::max_align_t)));
  print(block, size, format, arguments, c);
  watch_write(to, sizeof *to, c);
  *to = block;
  return length;
}

int show(std::FILE* to, const char* format, std::va_list arguments, const call_site& c) {
  watch(format, arguments, c);
  show_error_number();
  return FENCEPOST_BEHIND(vfprintf)(to, format, arguments);
}
int show(int to, const char* format, std::va_list arguments, const call_site& c) {
  watch(format, arguments, c);
  show_error_number();
  return FENCEPOST_BEHIND(vdprintf)(to, format, arguments);
}

}  // namespace

void fencepost::programs::watch_format(const char* format, std::va_list arguments,
                                       const call_site& c) {
  watch(format, arguments, c);
}

std::string fencepost::programs::text_of(const char* format, std::va_list arguments) {
  std::string text(static_cast<std::size_t>(std::max(length_of(format, arguments), 0)), ' ');
  FENCEPOST_BEHIND(vsnprintf)(text.data(), text.size() + 1, format, arguments);
  return text;
}

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

// Defines the function that takes a list of arguments, and the one that takes the arguments.
#define FENCEPOST_PRINT(name, result, ...)                                             \
  int v##name(__VA_ARGS__ __VA_OPT__(, ) const char* format, std::va_list arguments) { \
    return result;                                                                     \
  }                                                                                    \
  int name(__VA_ARGS__ __VA_OPT__(, ) const char* format, ...) {                       \
    std::va_list arguments;                                                            \
    va_start(arguments, format);                                                       \
    const int length = result;                                                         \
    va_end(arguments);                                                                 \
    return length;                                                                     \
  }
FENCEPOST_PRINT(snprintf, print(to, size, format, arguments, FENCEPOST_CALL_SITE), char* to,
                std::size_t size)
FENCEPOST_PRINT(sprintf, print(to, SSIZE_MAX, format, arguments, FENCEPOST_CALL_SITE), char* to)
FENCEPOST_PRINT(asprintf, print_to_block(to, format, arguments, FENCEPOST_CALL_SITE), char** to)
FENCEPOST_PRINT(printf, show(stdout, format, arguments, FENCEPOST_CALL_SITE))
FENCEPOST_PRINT(fprintf, show(to, format, arguments, FENCEPOST_CALL_SITE), std::FILE* to)
FENCEPOST_PRINT(dprintf, show(to, format, arguments, FENCEPOST_CALL_SITE), int to)
#undef FENCEPOST_PRINT

int puts(const char* text) {
  watch_text(text, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(puts)(text);
}
int fputs(const char* text, std::FILE* to) {
  watch_text(text, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(fputs)(text, to);
}
std::size_t fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* to) {
  watch_read(from, size * count, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(fwrite)(from, size, count, to);
}
void perror(const char* text) {
  if (text != nullptr) watch_text(text, FENCEPOST_CALL_SITE);
  FENCEPOST_BEHIND(perror)(text);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
