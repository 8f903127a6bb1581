// How long the idle workers of a thread pool search before they sleep; worker_sleep.hpp has the
// rest.
#pragma once

#include <cstdint>

namespace fencepost {

struct sleep_options {
  std::uint32_t rounds_until_sleepy = 32;    // failed searches before a worker announces itself
  std::uint32_t rounds_until_sleeping = 33;  // and before it blocks: at least one more
  std::uint32_t wake_in_its_place = 2;       // sleepers to wake when a worker finds work; not 0
};

}  // namespace fencepost
