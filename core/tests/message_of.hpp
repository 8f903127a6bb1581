// What an exception says.
#pragma once

#include <exception>
#include <string>

namespace fencepost {

// Of what `f` throws.
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
