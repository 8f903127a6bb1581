// The registry is sound, and what must hold holds on the machine at hand.
#include "fencepost/models/registry.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "real_threads.hpp"

namespace fencepost::models {
namespace {

bool is_word(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (std::islower(static_cast<unsigned char>(c)) == 0 &&
        std::isdigit(static_cast<unsigned char>(c)) == 0 && c != '_') {
      return false;
    }
  }
  return true;
}

TEST(registry, names_are_unique) {
  std::set<std::string_view> names;
  visit_scenarios<yielding_atomics>([&]<class S> {
    EXPECT_TRUE(names.insert(S::about.name).second) << S::about.name << " is there twice";
  });
  EXPECT_GE(names.size(), 20u);
}

TEST(registry, names_are_component_slash_claim) {
  visit_scenarios<yielding_atomics>([]<class S> {
    const std::string_view name = S::about.name;
    const auto slash = name.find('/');
    ASSERT_NE(slash, name.npos) << name;
    EXPECT_TRUE(is_word(name.substr(0, slash))) << name;
    EXPECT_TRUE(is_word(name.substr(slash + 1))) << name;
  });
}

TEST(registry, every_scenario_states_its_claim_and_its_threads) {
  visit_scenarios<yielding_atomics>([]<class S> {
    EXPECT_FALSE(S::about.claim.empty()) << S::about.name;
    EXPECT_GE(S::about.threads, 1u) << S::about.name;
    EXPECT_LE(S::about.threads, 4u) << S::about.name;
  });
}

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
