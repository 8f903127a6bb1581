// Ends a program that has broken a component's contract, where no error can be returned.
#pragma once

#include <cstdio>
#include <exception>

namespace fencepost::detail {

[[noreturn]] inline void die(const char* component, const char* message) noexcept {
  std::fprintf(stderr, "fencepost::%s: %s\n", component, message);
  std::terminate();
}

}  // namespace fencepost::detail
