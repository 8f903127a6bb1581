// The ways to find the outcomes of a program, for tests that hold of each.
#pragma once

#include "fencepost/litmus/enumerate.hpp"
#include "fencepost/litmus/explore.hpp"

namespace fencepost::litmus::testing {

struct by_enumeration {
  static outcome_set run(const program& p, verify::memory_model m, unsigned spurious = ~0U) {
    enumerate_options options;
    options.spurious_failures = spurious;
    return enumerate(p, m, options);
  }
};

struct by_exploration {
  static outcome_set run(const program& p, verify::memory_model m, unsigned spurious = any_number) {
    explore_options options;
    options.model = m;
    options.spurious_failures = spurious;
    return explore(p, options);
  }
};

}  // namespace fencepost::litmus::testing
