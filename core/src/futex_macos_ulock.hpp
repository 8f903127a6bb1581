// macOS 10.12 and later: __ulock_wait() and __ulock_wake(), which no header declares, but on which
// the system's own C++ library is built. Compiled and run against fakes of the system's functions
// (core/tests/ports), never on macOS.
#pragma once

#include <cerrno>
#include <cstdint>

#include "futex_time.hpp"

// NOLINTBEGIN(readability-identifier-naming): the system's names
extern "C" {
int __ulock_wait(std::uint32_t operation, void* at, std::uint64_t value, std::uint32_t timeout);
int __ulock_wake(std::uint32_t operation, void* at, std::uint64_t value);
}
// NOLINTEND(readability-identifier-naming)

namespace fencepost::detail::macos_ulock_futex {

inline constexpr std::uint32_t compare_and_wait = 1;
inline constexpr std::uint32_t wake_all = 0x100;
inline constexpr std::uint32_t no_errno = 0x0100'0000;  // errors are returned, as negative numbers

template <class Clock = std::chrono::steady_clock>
bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  std::uint32_t timeout = 0;  // for ever
  if (until != no_deadline) {
    const auto left = time_left<std::chrono::microseconds>(until, Clock::now());
    // [wait.compare] relaxed, alone: in place of the system's comparison, which orders nothing.
    if (left.count() == 0) return word.load(std::memory_order_relaxed) != expected;
    timeout = static_cast<std::uint32_t>(left.count());
  }
  const int result =
      __ulock_wait(compare_and_wait | no_errno, const_cast<std::atomic<std::uint32_t>*>(&word),
                   expected, timeout);
  return result != -ETIMEDOUT || Clock::now() < until;
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  // [wake] seq_cst, alone: what the waker stored comes before the system's search for waiting
  // threads, which may take no lock if there are none; no documentation promises that order.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  // The system may be interrupted while it looks for a thread to wake.
  const auto again = [&word](std::uint32_t operation) {
    int result = 0;
    do {
      result = __ulock_wake(operation, &word, 0);
    } while (result == -EINTR);
    return result;
  };
  if (n > most_single_wakes) {
    again(compare_and_wait | no_errno | wake_all);
    return;
  }
  // It fails when no thread waits (any more).
  while (n-- > 0 && again(compare_and_wait | no_errno) >= 0) {
  }
}

}  // namespace fencepost::detail::macos_ulock_futex
