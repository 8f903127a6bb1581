// What an exception of one type says.
#pragma once

#include <string>

namespace fencepost {

// Of the one that `f` throws; one of another type comes out.
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
