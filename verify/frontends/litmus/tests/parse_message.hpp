// The message of the reader of herd's format about a test that it rejects.
#pragma once

#include <string>

#include "fencepost/litmus/parse.hpp"

namespace fencepost::litmus::testing {

inline std::string message(const std::string& text) {
  try {
    parse(text, "t.litmus");
  } catch (const parse_error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace fencepost::litmus::testing
