// What must hold holds on the machine at hand.
#include "real_threads.hpp"

#include <gtest/gtest.h>

#include "fencepost/models/registry.hpp"

namespace fencepost::models {
namespace {

constexpr unsigned executions = 2000;

// Scenarios that must be violated are only compiled: their behaviour is undefined.
TEST(scenarios, what_must_hold_holds_on_real_threads) {
  visit_scenarios<yielding_atomics>([]<class S> {
    if constexpr (S::about.expected == violation::none) {
      SCOPED_TRACE(S::about.name);
      tally result;
      run_on_real_threads<S>(executions, result);
      for (const auto& [claim, times] : result.broken_claims()) {
        ADD_FAILURE() << claim << " does not hold, " << times << " times in " << executions;
      }
    } else {
      [[maybe_unused]] auto body = &S::thread;
    }
  });
}

}  // namespace
}  // namespace fencepost::models
