// Outcomes that a scenario knows, and the graphs of executions that are right.
#include <gmock/gmock.h>

#include "fencepost/verify/replay.hpp"
#include "fencepost/verify/report.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two threads each write one location and read the other, with these orders.
template <std::memory_order Order, const known_outcome* Known, std::size_t Count>
struct both_look {
  static constexpr auto about =
      scenario{.name = "test/both_look", .outcomes = std::span(Known, Count)};

  checked::atomic<int> x{0};
  checked::atomic<int> y{0};
  int saw[2] = {-1, -1};

  void thread(unsigned index) {
    (index == 0 ? x : y).store(1, Order);
    saw[index] = (index == 0 ? y : x).load(Order);
  }
  void after() { outcome(saw[0], saw[1]); }
};

constexpr known_outcome weak[] = {{"0, 0", expect::interesting, "store buffering"},
                                  {"0, 1"},
                                  {"1, 0"},
                                  {"1, 1"},
                                  {"7, 7", expect::interesting, "never"}};
constexpr known_outcome strong[] = {
    {"0, 0", expect::forbidden, "one of them sees the other"}, {"0, 1"}, {"1, 0"}, {"1, 1"}};
constexpr known_outcome too_few[] = {{"0, 1"}, {"1, 0"}, {"1, 1"}};

TEST(outcomes, those_that_are_allowed_are_counted_and_shown_with_what_is_said_of_them) {
  const result r = check_scenario<both_look<relaxed, weak, 5>>();
  ASSERT_EQ(r.outcome, verdict::verified) << to_text(r);
  const std::vector<outcome_row> rows = outcome_rows(r);
  ASSERT_EQ(rows.size(), 5u);
  EXPECT_EQ(rows[0].result, "0, 0");
  EXPECT_EQ(rows[0].executions, 1u);
  EXPECT_EQ(rows[0].verdict, expect::interesting);
  EXPECT_EQ(rows[4].executions, 0u);  // known, and never seen
  EXPECT_THAT(to_text(r), HasSubstr("  outcome  executions  expectation  description\n"
                                    "  0, 0              1  interesting  store buffering\n"
                                    "  0, 1              1  allowed\n"));
}

TEST(outcomes, one_that_is_forbidden_is_a_violation_with_its_graph) {
  const result r = check_scenario<both_look<relaxed, strong, 4>>();
  ASSERT_TRUE(r.violation);
  EXPECT_EQ(r.violation->kind, violation::assertion);
  EXPECT_EQ(r.violation->message, "the outcome 0, 0 is forbidden: one of them sees the other");
  EXPECT_THAT(what_went_wrong(*r.violation), HasSubstr("no sequentially consistent fence"));
  EXPECT_TRUE((check_scenario<both_look<seq_cst, strong, 4>>()));
}

TEST(outcomes, one_that_the_scenario_does_not_know_is_forbidden) {
  const result r = check_scenario<both_look<relaxed, too_few, 3>>();
  ASSERT_TRUE(r.violation);
  EXPECT_THAT(r.violation->message, HasSubstr("0, 0 is not among those"));
  EXPECT_TRUE((check_scenario<both_look<seq_cst, too_few, 3>>()));
}

TEST(outcomes, where_nothing_is_said_of_them_nothing_is_shown_but_the_counts) {
  const result r = check_scenario<both_look<relaxed, nullptr, 0>>();
  ASSERT_EQ(r.outcome, verdict::verified);
  EXPECT_EQ(outcome_rows(r).size(), 4u);
  EXPECT_THAT(to_text(r), HasSubstr("  outcome  executions\n  0, 0              1\n"));
  EXPECT_THAT(to_text(r), Not(HasSubstr("expectation")));
}

TEST(outcomes, there_is_an_example_of_each) {
  options o;
  o.examples = 10;
  const result r = check_scenario<both_look<relaxed, weak, 5>>(o);
  ASSERT_EQ(r.examples.size(), 4u);
  EXPECT_EQ(r.executions, 4u);  // an execution that is run again to be shown is not counted
  for (const auto& [outcome, e] : r.examples) {
    std::string seen[2];
    for (const step& s : e.steps) {
      if (s.kind == step_kind::load) seen[s.thread - 1] = std::to_string(s.value_read);
    }
    EXPECT_EQ(outcome, seen[0] + ", " + seen[1]);
    EXPECT_FALSE(e.edges.empty());
    EXPECT_THAT(to_text(e, text_style{}), HasSubstr("load relaxed"));
  }
  o.examples = 2;
  EXPECT_EQ((check_scenario<both_look<relaxed, weak, 5>>(o).examples.size()), 2u);
}

TEST(outcomes, one_example_where_none_is_recorded) {
  options o;
  o.examples = 10;
  const result r = check(o, [] {
    checked::atomic<int> x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1, relaxed); });
  });
  ASSERT_EQ(r.examples.size(), 1u);
  EXPECT_EQ(r.examples.begin()->first, "");
}

// The question that other runners ask.
TEST(outcomes, only_those_that_a_scenario_knows_and_does_not_forbid_are_allowed) {
  constexpr known_outcome known[] = {
      {"0, 1"}, {"1, 1", expect::interesting}, {"0, 0", expect::forbidden}};
  EXPECT_TRUE(allows(known, "0, 1"));
  EXPECT_TRUE(allows(known, "1, 1"));
  EXPECT_FALSE(allows(known, "0, 0"));
  EXPECT_FALSE(allows(known, "2, 1"));
  EXPECT_TRUE(allows({}, "2, 1"));
}

// ---- replay ----

bool same(const execution& a, const execution& b) {
  return std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                    [](const step& x, const step& y) { return x.text == y.text; });
}

TEST(replay, comes_to_the_same_execution_with_and_without_a_search_for_a_shorter_one) {
  for (const std::uint64_t shorten : {0U, 1000U}) {
    options o;
    o.shorten = shorten;
    const result first = check_scenario<both_look<relaxed, strong, 4>>(o);
    ASSERT_TRUE(first.violation);
    ASSERT_NE(first.violation->path, "");
    options again;
    again.replay = first.violation->path;
    again.priorities = first.violation->priorities;
    const result second = check_scenario<both_look<relaxed, strong, 4>>(again);
    ASSERT_TRUE(second.violation);
    EXPECT_TRUE(same(*first.violation, *second.violation));
    EXPECT_EQ(second.violation->path, first.violation->path);
  }
}

TEST(replay, of_a_run_that_is_right_or_that_there_is_not_finds_nothing) {
  for (const char* const path :
       {"0", "1000000", "0*1000", "7/0", "a path", "1..2", "-1", "1*", "/"}) {
    options o;
    o.replay = path;
    const result r = check_scenario<both_look<seq_cst, strong, 4>>(o);
    EXPECT_EQ(r.outcome, verdict::incomplete);
    EXPECT_FALSE(r.violation);
    EXPECT_THAT(r.limit, HasSubstr("no violation"));
  }
}

}  // namespace
}  // namespace fencepost::verify::testing
