// The time at which a delay ends, rounded up and clamped to what the clock can represent.
#pragma once

#include <chrono>

namespace fencepost {

// now + delay; `now` for a delay that is negative or not a number, time_point::max() on overflow.
template <class Rep, class Period>
[[nodiscard]] std::chrono::steady_clock::time_point due_after(
    std::chrono::steady_clock::time_point now, std::chrono::duration<Rep, Period> delay) noexcept {
  using clock_duration = std::chrono::steady_clock::duration;
  using wide = std::chrono::duration<long double, clock_duration::period>;
  if (!(delay > delay.zero())) return now;  // also if it is not a number
  const clock_duration most = std::chrono::steady_clock::time_point::max() - now;
  const wide asked{delay};
  if (asked.count() >= static_cast<long double>(most.count())) {
    return std::chrono::steady_clock::time_point::max();
  }
  // Rounded up: a task is not early.
  const auto whole = static_cast<clock_duration::rep>(asked.count());
  const bool fraction = static_cast<long double>(whole) < asked.count();
  return now + clock_duration{whole + (fraction ? 1 : 0)};
}

}  // namespace fencepost
