// Linux: the futex itself, by raw system call. FUTEX_WAIT_BITSET takes an absolute time, by
// CLOCK_MONOTONIC, which is what steady_clock counts: an early return followed by another wait
// keeps the deadline. The kernel has a full fence on either side.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <ctime>

#include "futex_time.hpp"

namespace fencepost::detail::linux_futex {

// Where a long has 32 bits there is a call of its own for times of 64, since Linux 5.1.
#if defined(SYS_futex_time64)
struct kernel_time {
  std::int64_t seconds, nanoseconds;
};
inline constexpr long futex_call = SYS_futex_time64;
#else
struct kernel_time {
  std::time_t seconds;
  long nanoseconds;
};
static_assert(sizeof(kernel_time) == sizeof(timespec));
inline constexpr long futex_call = SYS_futex;
#endif

inline bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  kernel_time at{};
  const kernel_time* timeout = nullptr;
  if (until != no_deadline) {
    using namespace std::chrono;
    const auto since = std::max(until.time_since_epoch(), deadline::duration{0});
    const auto whole = duration_cast<seconds>(since);
    at.seconds = static_cast<decltype(at.seconds)>(whole.count());
    at.nanoseconds =
        static_cast<decltype(at.nanoseconds)>(duration_cast<nanoseconds>(since - whole).count());
    timeout = &at;
  }
  const long result = syscall(futex_call, reinterpret_cast<const std::uint32_t*>(&word),
                              FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected, timeout, nullptr,
                              FUTEX_BITSET_MATCH_ANY);
  return result == 0 || errno != ETIMEDOUT;  // woken, value differs, or a signal: look again
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  if (n == 0) return;  // the kernel looks at the number after it has woken one
  const int count = n > static_cast<unsigned>(INT_MAX) ? INT_MAX : static_cast<int>(n);
  syscall(futex_call, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
          count, nullptr, nullptr, 0);
}

}  // namespace fencepost::detail::linux_futex
