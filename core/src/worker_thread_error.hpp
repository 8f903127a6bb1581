// What a worker_thread that cannot be started or joined throws.
#pragma once

#include <string>
#include <system_error>

namespace fencepost::detail {

inline std::system_error refused(int error, const std::string& what) {
  return {error, std::generic_category(), "worker_thread: " + what};
}

}  // namespace fencepost::detail
