// The message of an exception.
#pragma once

#include <exception>
#include <string>

namespace fencepost {

// The message of the exception that `f` throws.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace fencepost
