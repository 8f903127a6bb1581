// Whether an algorithm is to end early: never, or when a std::stop_token has been asked to stop.
#pragma once

#include <version>

#if defined(__cpp_lib_jthread)
#include <stop_token>
#endif

namespace fencepost::detail {

struct never_stopped {
  constexpr bool operator()() const noexcept { return false; }
};

#if defined(__cpp_lib_jthread)
struct stopped_by {
  const std::stop_token& token;
  bool operator()() const noexcept { return token.stop_requested(); }
};
#endif

}  // namespace fencepost::detail
