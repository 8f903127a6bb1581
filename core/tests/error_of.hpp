// The message of an exception of a given type.
#pragma once

#include <string>

namespace fencepost {

// The message of the exception that `f` throws; one of another type propagates.
template <class Exception, class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace fencepost
