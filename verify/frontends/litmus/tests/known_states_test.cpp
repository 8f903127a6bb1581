// Every test of models/litmus has, under each of three models, the states and the number of
// executions that expected.jsonl gives. Other programs found these.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engines.hpp"
#include "fencepost/litmus/parse.hpp"
#include "lengthened.hpp"

namespace fencepost::litmus::testing {
namespace {

using verify::memory_model;

struct expectation {
  std::string name;
  std::string file;
  std::string condition;
  std::set<std::string> states;
  std::uint64_t executions = 0;
  std::optional<std::uint64_t> positive;
  bool undef = false;
};

const std::string folder = FENCEPOST_LITMUS_TESTS;

std::vector<nlohmann::json> known_tests() {
  std::ifstream lines(folder + "/expected.jsonl");
  std::vector<nlohmann::json> all;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) all.push_back(nlohmann::json::parse(line));
  }
  return all;
}

expectation expected(const nlohmann::json& test, memory_model m) {
  expectation e;
  e.name = test["name"];
  e.file = folder + "/" + std::string(test["file"]);
  e.condition = test["condition"];
  e.states = test["states"].get<std::set<std::string>>();
  if (m == memory_model::rc11) {
    e.executions = test["executions"];
    e.positive = test["positive"];
    e.undef = test["undef"];
    return e;
  }
  const nlohmann::json& other = test["alt"][m == memory_model::rc20 ? "rc11_rs20" : "cpp20"];
  e.executions = other["executions"];
  e.undef = other["undef"];
  if (!other["states_same"]) {
    for (const auto& s : other["extra"]) e.states.insert(s);
    for (const auto& s : other["missing"]) e.states.erase(s);
  }
  if (test["models_agree"]) e.positive = test["positive"];
  return e;
}

template <class Engine>
class known_states : public ::testing::Test {};

using engines = ::testing::Types<by_enumeration, by_exploration>;
TYPED_TEST_SUITE(known_states, engines, );

template <class Engine>
void all_tests_under(memory_model m) {
  std::size_t tests = 0;
  for (const nlohmann::json& test : known_tests()) {
    const expectation e = expected(test, m);
    SCOPED_TRACE(e.file);
    const program p = parse_file(e.file);
    EXPECT_EQ(p.name, e.name);
    const outcome_set got = Engine::run(p, m);
    std::set<std::string> states;
    for (const auto& [state, count] : got.states) states.insert(spell(p, state));
    EXPECT_EQ(states, e.states);
    EXPECT_EQ(got.executions, e.executions);
    EXPECT_EQ(got.positive + got.negative, e.executions);
    EXPECT_EQ(got.positive, e.positive.value_or(got.positive));
    EXPECT_EQ(got.undef, e.undef);
    EXPECT_FALSE(got.cut);
    EXPECT_EQ(got.limit, "");
    ++tests;
  }
  EXPECT_EQ(tests, 579U);
}

TYPED_TEST(known_states, rc20_gives_the_known_states_and_executions) {
  all_tests_under<TypeParam>(memory_model::rc20);
}

TYPED_TEST(known_states, rc11_gives_the_known_states_and_executions) {
  all_tests_under<TypeParam>(memory_model::rc11);
}

TYPED_TEST(known_states, cpp20_gives_the_known_states_and_executions) {
  all_tests_under<TypeParam>(memory_model::cpp20);
}

TEST(long_executions, have_the_same_states_and_numbers) {
  constexpr std::uint64_t few = 60;
  std::size_t tests = 0;
  for (const nlohmann::json& test : known_tests()) {
    for (const memory_model m : {memory_model::rc20, memory_model::rc11, memory_model::cpp20}) {
      const expectation e = expected(test, m);
      if (e.executions > few) continue;
      SCOPED_TRACE(e.file);
      const program p = parse_file(e.file);
      const outcome_set got = by_exploration::run(lengthened(p), m);
      std::set<std::string> states;
      for (const auto& [state, count] : got.states) states.insert(spell(p, state));
      EXPECT_EQ(states, e.states);
      EXPECT_EQ(got.executions, e.executions);
      EXPECT_EQ(got.undef, e.undef);
      EXPECT_EQ(got.limit, "");
      ++tests;
    }
  }
  EXPECT_GT(tests, 1'000U);
}

}  // namespace
}  // namespace fencepost::litmus::testing
