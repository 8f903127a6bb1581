// How long the idle workers of a thread pool search before they sleep; worker_sleep.hpp has the
// rest.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "fencepost/exceptions.hpp"

namespace fencepost {

struct sleep_options {
  std::uint32_t rounds_until_sleepy = 32;    // failed searches before a worker announces itself
  std::uint32_t rounds_until_sleeping = 33;  // and before it blocks: at least one more
  std::uint32_t wake_in_its_place = 2;       // sleepers to wake when a worker finds work; not 0

  // Returns the options; throws std::invalid_argument if they are inconsistent.
  const sleep_options& checked() const;
};

inline const sleep_options& sleep_options::checked() const {
  if (rounds_until_sleeping <= rounds_until_sleepy) {
    detail::raise<std::invalid_argument>(
        "worker_sleep: rounds_until_sleeping is " + std::to_string(rounds_until_sleeping) +
        ", but must be greater than rounds_until_sleepy, " + std::to_string(rounds_until_sleepy) +
        ": a worker searches at least once after it has announced itself");
  }
  if (wake_in_its_place == 0) {
    detail::raise<std::invalid_argument>(
        "worker_sleep: wake_in_its_place is 0, but a worker that finds work must wake another: "
        "jobs may have been left to it");
  }
  return *this;
}

}  // namespace fencepost
