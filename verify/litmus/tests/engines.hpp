// The ways to find the outcomes of a program, for tests that hold of each.
#pragma once

#include "fencepost/litmus/enumerate.hpp"
#if FENCEPOST_LITMUS_EXPLORE
#include "fencepost/litmus/explore.hpp"
#endif

namespace fencepost::litmus::testing {

struct by_enumeration {
  static outcome_set run(const program& p, verify::memory_model m, unsigned spurious = ~0U) {
    enumerate_options options;
    options.spurious_failures = spurious;
    return enumerate(p, m, options);
  }
};

#if FENCEPOST_LITMUS_EXPLORE
struct by_exploration {
  static outcome_set run(const program& p, verify::memory_model m, unsigned spurious = any_number) {
    explore_options options;
    options.model = m;
    options.spurious_failures = spurious;
    return explore(p, options);
  }
};
#endif

}  // namespace fencepost::litmus::testing
