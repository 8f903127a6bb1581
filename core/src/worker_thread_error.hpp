// The exception for a worker_thread that cannot be started or joined.
#pragma once

#include <string>
#include <system_error>

#include "fencepost/exceptions.hpp"

namespace fencepost::detail {

[[noreturn]] inline void refuse(int error, const std::string& what) {
  raise<std::system_error>(error, std::generic_category(), "worker_thread: " + what);
}

}  // namespace fencepost::detail
