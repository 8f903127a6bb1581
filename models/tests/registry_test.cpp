// The registry: names are unique and well formed, and every scenario states its claim.
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "model_headers.inc"

namespace fencepost::models {
namespace {

std::vector<scenario> registry() {
  std::vector<scenario> all;
  const auto append = [&]<class S> { all.push_back(S::about); };
#define FENCEPOST_MODEL(list) visit<std_atomics>(list, append);
#include "model_lists.inc"
#undef FENCEPOST_MODEL
  return all;
}

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
  for (const scenario& about : registry()) {
    EXPECT_TRUE(names.insert(about.name).second) << about.name << " is there twice";
  }
  EXPECT_GE(names.size(), 20u);
}

TEST(registry, names_are_component_slash_claim) {
  for (const scenario& about : registry()) {
    const std::string_view name = about.name;
    const auto slash = name.find('/');
    ASSERT_NE(slash, name.npos) << name;
    EXPECT_TRUE(is_word(name.substr(0, slash))) << name;
    EXPECT_TRUE(is_word(name.substr(slash + 1))) << name;
  }
}

TEST(registry, every_scenario_states_its_claim_and_its_threads) {
  for (const scenario& about : registry()) {
    EXPECT_FALSE(about.claim.empty()) << about.name;
    EXPECT_GE(about.threads, 1u) << about.name;
    EXPECT_LE(about.threads, 4u) << about.name;
  }
}

}  // namespace
}  // namespace fencepost::models
