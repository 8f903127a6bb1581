// Windows 8 and later: WaitOnAddress() of Synchronization.lib, with times in milliseconds. Compiled
// and run against fakes of the system's functions (core/tests/ports), never on Windows.
#pragma once

#include "futex_time.hpp"
#include "windows_api.hpp"

namespace fencepost::detail::windows_futex {

template <class Clock = std::chrono::steady_clock>
bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  DWORD timeout = INFINITE;
  if (until != no_deadline) {
    const auto left = time_left<std::chrono::milliseconds>(until, Clock::now());
    // [wait.compare] relaxed, alone: in place of the system's comparison, which orders nothing.
    if (left.count() == 0) return word.load(std::memory_order_relaxed) != expected;
    timeout = static_cast<DWORD>(left.count());
  }
  const bool woken = WaitOnAddress(const_cast<std::atomic<std::uint32_t>*>(&word), &expected,
                                   sizeof word, timeout) != 0;
  const bool timed_out = !woken && GetLastError() == ERROR_TIMEOUT;
  // The system's timer is coarse, and may expire a little early.
  return !timed_out || Clock::now() < until;
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  // [wake] seq_cst, alone: what the waker stored comes before the system's search for waiting
  // threads, which may take no lock if there are none; no documentation promises that order.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (n > most_single_wakes) {
    WakeByAddressAll(&word);
    return;
  }
  while (n-- > 0) WakeByAddressSingle(&word);
}

}  // namespace fencepost::detail::windows_futex
