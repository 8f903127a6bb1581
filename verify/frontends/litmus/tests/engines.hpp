// The engines that find the outcomes of a program, for tests of both.
#pragma once

#include <gtest/gtest.h>

#include "axioms/graph_fingerprint.hpp"
#include "axioms/recheck.hpp"
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

// Expects that the axioms confirm the graph.
inline void confirm(const verify::explored_graph& g) {
  const axioms::opinion o = axioms::judge(g);
  EXPECT_EQ(o.what, axioms::opinion::kind::confirmed) << o.why << '\n' << axioms::to_text(g);
}

struct by_exploration {
  static outcome_set run(const program& p, verify::memory_model m, unsigned spurious = any_number) {
    explore_options options;
    options.model = m;
    options.spurious_failures = spurious;
    options.on_complete_graph = confirm;
    return explore(p, options);
  }
};

}  // namespace fencepost::litmus::testing
