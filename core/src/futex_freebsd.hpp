// FreeBSD: _umtx_op(2), with an absolute time of CLOCK_MONOTONIC, the clock behind steady_clock.
// Compiled and run against fakes of the system's functions (core/tests/ports), never on FreeBSD.
#pragma once

// clang-format off
#include <sys/types.h>  // before umtx.h
#include <sys/umtx.h>
// clang-format on
#include <cerrno>
#include <climits>
#include <ctime>

#include "futex_time.hpp"

namespace fencepost::detail::freebsd_futex {

template <class Clock = std::chrono::steady_clock>
bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  _umtx_time at{};
  void* size = nullptr;  // the size of what the last argument points to, cast to a pointer
  if (until != no_deadline) {
    using namespace std::chrono;
    const deadline end = std::min(until, Clock::now() + longest_wait);
    const auto since = std::max(end.time_since_epoch(), deadline::duration{0});
    const auto whole = duration_cast<seconds>(since);
    at._timeout.tv_sec = static_cast<decltype(at._timeout.tv_sec)>(whole.count());
    at._timeout.tv_nsec = static_cast<decltype(at._timeout.tv_nsec)>(
        duration_cast<nanoseconds>(since - whole).count());
    at._flags = UMTX_ABSTIME;
    at._clockid = CLOCK_MONOTONIC;
    size = reinterpret_cast<void*>(sizeof at);
  }
  const int result = _umtx_op(const_cast<std::atomic<std::uint32_t>*>(&word),
                              UMTX_OP_WAIT_UINT_PRIVATE, expected, size, size ? &at : nullptr);
  const bool timed_out = result != 0 && errno == ETIMEDOUT;
  return !timed_out || Clock::now() < until;
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  if (n == 0) return;
  const unsigned count = std::min(n, static_cast<unsigned>(INT_MAX));
  // [wake] seq_cst, alone: what the waker stored comes before the system's search for waiting
  // threads, which may take no lock if there are none; no documentation promises that order.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  _umtx_op(&word, UMTX_OP_WAKE_PRIVATE, count, nullptr, nullptr);
}

}  // namespace fencepost::detail::freebsd_futex
