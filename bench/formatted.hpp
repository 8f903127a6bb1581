// How the tables write numbers.
#pragma once

#include <cstdio>
#include <string>

namespace fencepost::bench {

// By a format of printf for one double.
inline std::string text(const char* format, double value) {
  char out[32];
  std::snprintf(out, sizeof out, format, value);
  return out;
}

}  // namespace fencepost::bench
