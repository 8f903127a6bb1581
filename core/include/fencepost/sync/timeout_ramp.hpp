// How long an idle thread sleeps before it looks for work on its own: longer each time, up to a
// cap.
//
// The kit's wake-ups do not depend on it: event_count loses none, and its scenarios are explored
// with time-outs that never fire. It is for work that is not announced, such as tasks that a
// deque's owner keeps private until a thief asks.
// Source: Lace 1.6: 100 us, 100 us more each time, at most 1 ms. (Its code begins with 200 us,
// because its count begins at 1: LACE-51.)
#pragma once

#include <chrono>
#include <cstdint>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/exceptions.hpp"

namespace fencepost {

struct timeout_ramp {
  std::chrono::microseconds first{100};
  std::chrono::microseconds step{100};
  std::chrono::microseconds cap{1000};

  // The same, or std::invalid_argument where a part is negative or the first is above the cap.
  constexpr timeout_ramp checked() const {
    if (first.count() < 0 || step.count() < 0 || cap < first) {
      detail::raise<std::invalid_argument>(
          "timeout_ramp: first, step and cap must not be negative, nor first above cap");
    }
    return *this;
  }

  // The time of the sleep number `cycle`, counted from 0. A pure function; no overflow.
  constexpr std::chrono::microseconds operator()(std::uint32_t cycle) const noexcept {
    if (step.count() == 0) return first;
    const auto steps_to_cap = (cap - first).count() / step.count();
    return static_cast<std::int64_t>(cycle) > steps_to_cap ? cap : first + step * cycle;
  }

  // The deadline of a sleep that begins now.
  deadline from_now(std::uint32_t cycle) const noexcept {
    return std::chrono::steady_clock::now() + (*this)(cycle);
  }
};

}  // namespace fencepost
