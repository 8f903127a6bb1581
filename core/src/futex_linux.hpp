// Linux: the futex, by raw system call. FUTEX_WAIT_BITSET takes an absolute time of
// CLOCK_MONOTONIC, the clock behind steady_clock: a wait that returns early and is repeated keeps
// its deadline. The kernel executes a full fence both in a wait and in a wake.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <climits>
#include <ctime>

#include "futex_time.hpp"

namespace fencepost::detail::linux_futex {

// Where long has 32 bits, a separate system call takes 64-bit times, since Linux 5.1.
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
  return result == 0 || errno != ETIMEDOUT;  // woken, the value differs, or a signal
}

inline void wake(std::atomic<std::uint32_t>& word, unsigned n) {
  if (n == 0) return;  // the kernel wakes a thread before it looks at the number
  const int count = n > static_cast<unsigned>(INT_MAX) ? INT_MAX : static_cast<int>(n);
  syscall(futex_call, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
          count, nullptr, nullptr, 0);
}

}  // namespace fencepost::detail::linux_futex
