// A scenario in which nothing happens spuriously.
#pragma once

#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models {

// No weak compare-exchange fails spuriously, no condition variable wakes spuriously, and no timed
// wait times out: the claim is about what the threads do to each other.
constexpr scenario undisturbed(scenario about) {
  about.spurious_failures = 0;
  about.spurious_wakeups = 0;
  about.timeouts = 0;
  return about;
}

}  // namespace fencepost::models
