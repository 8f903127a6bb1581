// How long a wait may last, for systems whose waits take a duration.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "fencepost/atomics/policy.hpp"

namespace fencepost::detail {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
                  alignof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "the system reads the word where the program writes it");

// The longest single wait. If the deadline is later, the wait ends early, and the waiter checks
// again. Every system can represent this duration, in its unit and number of bits.
inline constexpr std::chrono::minutes longest_wait{10};

// The time until the deadline, or longest_wait if that is shorter. Rounded up, so that a wait does
// not end before its deadline; zero once that has passed.
template <class Unit>
constexpr Unit time_left(deadline until, deadline now) noexcept {
  if (until <= now) return Unit{0};
  return until > now + longest_wait ? Unit{longest_wait} : std::chrono::ceil<Unit>(until - now);
}

// Up to this many threads are woken one by one; instead of more, all are woken, which is allowed
// because a wait may return spuriously.
inline constexpr unsigned most_single_wakes = 16;

}  // namespace fencepost::detail
