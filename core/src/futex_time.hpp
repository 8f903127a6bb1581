// How long a wait may last, for systems that take a time from now on.
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

// A wait whose deadline is further off ends after this, early: whoever waits looks again. Every
// system can count that far, in its unit and its number of bits.
inline constexpr std::chrono::minutes longest_wait{10};

// Rounded up, so that a wait does not end before its deadline; nothing when that has passed.
template <class Unit>
constexpr Unit time_left(deadline until, deadline now) noexcept {
  if (until <= now) return Unit{0};
  return until > now + longest_wait ? Unit{longest_wait} : std::chrono::ceil<Unit>(until - now);
}

// Waking one thread after the other is for this many at most: then all are woken. A wait may end
// early for no reason.
inline constexpr unsigned most_single_wakes = 16;

}  // namespace fencepost::detail
