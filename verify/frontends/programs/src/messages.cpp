// err(), warn() and the like: a message on standard error, which is not shown, and for err() the
// end of the program.

#include <err.h>

#include <cstdarg>
#include <string>

#include "c_library.hpp"
#include "departure.hpp"
#include "formats.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;
using fencepost::programs::text_of;

namespace {

// Ends the program after its message.
void leave(int status, const char* format, std::va_list arguments, const call_site& c) {
  if (format != nullptr) fencepost::programs::watch_format(format, arguments, c);
  const entered s;
  if (!s) return;
  // If main() is left, no local variable here is destroyed.
  std::string said;
  if (status != 0 && format != nullptr) said = ": " + text_of(format, arguments);
  fencepost::programs::exit_program(*s, status, said, s->place(c));
}

void warn_by(const char* format, std::va_list arguments, const call_site& c) {
  if (format != nullptr) fencepost::programs::watch_format(format, arguments, c);
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

#define FENCEPOST_END(name)                                              \
  void v##name(int status, const char* format, std::va_list arguments) { \
    leave(status, format, arguments, FENCEPOST_CALL_SITE);               \
    FENCEPOST_BEHIND(v##name)(status, format, arguments);                \
    __builtin_unreachable();                                             \
  }                                                                      \
  void name(int status, const char* format, ...) {                       \
    std::va_list arguments;                                              \
    va_start(arguments, format);                                         \
    leave(status, format, arguments, FENCEPOST_CALL_SITE);               \
    FENCEPOST_BEHIND(v##name)(status, format, arguments);                \
    __builtin_unreachable();                                             \
  }
FENCEPOST_END(err)
FENCEPOST_END(errx)
#undef FENCEPOST_END

#define FENCEPOST_WARN(name)                                 \
  void v##name(const char* format, std::va_list arguments) { \
    warn_by(format, arguments, FENCEPOST_CALL_SITE);         \
    FENCEPOST_BEHIND(v##name)(format, arguments);            \
  }                                                          \
  void name(const char* format, ...) {                       \
    std::va_list arguments;                                  \
    va_start(arguments, format);                             \
    warn_by(format, arguments, FENCEPOST_CALL_SITE);         \
    FENCEPOST_BEHIND(v##name)(format, arguments);            \
    va_end(arguments);                                       \
  }
FENCEPOST_WARN(warn)
FENCEPOST_WARN(warnx)
#undef FENCEPOST_WARN

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
