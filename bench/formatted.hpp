// Formats numbers for the tables.
#pragma once

#include <cstdio>
#include <string>

namespace fencepost::bench {

// Formats a value by a printf format for one double.
inline std::string text(const char* format, double value) {
  char out[32];
  std::snprintf(out, sizeof out, format, value);
  return out;
}

}  // namespace fencepost::bench
