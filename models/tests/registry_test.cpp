// The registry is sound.
#include "fencepost/models/registry.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "fencepost/atomics/std_atomics.hpp"

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
  visit_scenarios<std_atomics>([&]<class S> {
    EXPECT_TRUE(names.insert(S::about.name).second) << S::about.name << " is there twice";
  });
  EXPECT_GE(names.size(), 20u);
}

TEST(registry, names_are_component_slash_claim) {
  visit_scenarios<std_atomics>([]<class S> {
    const std::string_view name = S::about.name;
    const auto slash = name.find('/');
    ASSERT_NE(slash, name.npos) << name;
    EXPECT_TRUE(is_word(name.substr(0, slash))) << name;
    EXPECT_TRUE(is_word(name.substr(slash + 1))) << name;
  });
}

TEST(registry, every_scenario_states_its_claim_and_its_threads) {
  visit_scenarios<std_atomics>([]<class S> {
    EXPECT_FALSE(S::about.claim.empty()) << S::about.name;
    EXPECT_GE(S::about.threads, 1u) << S::about.name;
    EXPECT_LE(S::about.threads, 4u) << S::about.name;
  });
}

}  // namespace
}  // namespace fencepost::models
