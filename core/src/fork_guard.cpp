// Forks are counted by a handler that the child runs before fork() returns.
#include "fencepost/runtime/fork_guard.hpp"

#if !defined(_WIN32)
#include <pthread.h>
#endif

namespace fencepost::detail {

#if defined(_WIN32)

std::uint32_t forks() noexcept { return 0; }

#else

namespace {

// Written in a child while it has only one thread, the copy of the thread that has forked.
std::uint32_t forks_so_far = 0;

bool count_from_now_on() noexcept {
  return pthread_atfork(nullptr, nullptr, [] { ++forks_so_far; }) == 0;
}

}  // namespace

std::uint32_t forks() noexcept {
  static const bool counted = count_from_now_on();
  static_cast<void>(counted);
  return forks_so_far;
}

#endif

}  // namespace fencepost::detail
