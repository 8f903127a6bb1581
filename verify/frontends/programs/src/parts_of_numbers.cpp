// Functions of the mathematical library that write a second result to the program's memory.

#include <cmath>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::watch_write;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses)
extern "C" {

#define FENCEPOST_PARTS(type, name, second)               \
  type name(type x, second* to) {                         \
    second other{};                                       \
    const type first = FENCEPOST_BEHIND(name)(x, &other); \
    watch_write(to, sizeof *to, FENCEPOST_CALL_SITE);     \
    *to = other;                                          \
    return first;                                         \
  }
FENCEPOST_PARTS(float, frexpf, int)
FENCEPOST_PARTS(double, frexp, int)
FENCEPOST_PARTS(long double, frexpl, int)
FENCEPOST_PARTS(float, modff, float)
FENCEPOST_PARTS(double, modf, double)
FENCEPOST_PARTS(long double, modfl, long double)
#undef FENCEPOST_PARTS

double remquo(double x, double y, int* to) {
  int quotient = 0;
  const double rest = FENCEPOST_BEHIND(remquo)(x, y, &quotient);
  watch_write(to, sizeof *to, FENCEPOST_CALL_SITE);
  *to = quotient;
  return rest;
}

void sincos(double x, double* sine, double* cosine) {
  double values[2] = {};
  FENCEPOST_BEHIND(sincos)(x, &values[0], &values[1]);
  watch_write(sine, sizeof *sine, FENCEPOST_CALL_SITE);
  *sine = values[0];
  watch_write(cosine, sizeof *cosine, FENCEPOST_CALL_SITE);
  *cosine = values[1];
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses)
