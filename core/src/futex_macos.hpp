// macOS 14.4 and later: the public os_sync_wait_on_address(). Its clock stops while the machine
// sleeps; if steady_clock does not, a wait ends late. Compiled and run against fakes of the
// system's functions (core/tests/ports), never on macOS.
#pragma once

#include <os/os_sync_wait_on_address.h>

#include <cerrno>

#include "futex_time.hpp"

namespace fencepost::detail::macos_futex {

template <class Clock = std::chrono::steady_clock>
bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  void* const at = const_cast<std::atomic<std::uint32_t>*>(&word);
  int result = 0;
  if (until == no_deadline) {
    result = os_sync_wait_on_address(at, expected, sizeof word, OS_SYNC_WAIT_ON_ADDRESS_NONE);
  } else {
    const auto left = time_left<std::chrono::nanoseconds>(until, Clock::now());
    // For the system a duration of zero is an error, not a time-out.
    // [wait.compare] relaxed, alone: in place of the system's comparison, which orders nothing.
    if (left.count() == 0) return word.load(std::memory_order_relaxed) != expected;
    result = os_sync_wait_on_address_with_timeout(
        at, expected, sizeof word, OS_SYNC_WAIT_ON_ADDRESS_NONE, OS_CLOCK_MACH_ABSOLUTE_TIME,
        static_cast<std::uint64_t>(left.count()));
  }
  const bool timed_out = result < 0 && errno == ETIMEDOUT;
  return !timed_out || Clock::now() < until;
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  // [wake] seq_cst, alone: what the waker stored comes before the system's search for waiting
  // threads, which may take no lock if there are none; no documentation promises that order.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (n > most_single_wakes) {
    os_sync_wake_by_address_all(&word, sizeof word, OS_SYNC_WAKE_BY_ADDRESS_NONE);
    return;
  }
  // It fails when no thread waits (any more).
  while (n-- > 0 &&
         os_sync_wake_by_address_any(&word, sizeof word, OS_SYNC_WAKE_BY_ADDRESS_NONE) >= 0) {
  }
}

}  // namespace fencepost::detail::macos_futex
