#include "run/judgement.hpp"

#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using verify::result;
using verify::verdict;

constexpr scenario holds{.name = "s/holds"};
constexpr scenario races{.name = "s/races", .expected = violation::data_race};

result found(violation kind) {
  result r;
  r.outcome = kind == violation::none ? verdict::verified : verdict::violated;
  r.executions = 1;
  if (kind != violation::none) {
    r.violation.emplace();
    r.violation->kind = kind;
  }
  return r;
}

result cut_short() {
  result r;
  r.limit = "the limit of 10 executions";
  r.whole = verify::estimated{100, 40, 34.6, 51};
  return r;
}

TEST(judgement, a_scenario_that_must_hold) {
  EXPECT_EQ(judge(holds, found(violation::none)), standing::as_expected);
  EXPECT_EQ(judge(holds, found(violation::leak)), standing::unexpected);
  EXPECT_EQ(judge(holds, cut_short()), standing::incomplete);
}

TEST(judgement, a_scenario_that_must_be_violated) {
  EXPECT_EQ(judge(races, found(violation::data_race)), standing::as_expected);
  EXPECT_EQ(judge(races, found(violation::none)), standing::unexpected);
  EXPECT_EQ(judge(races, found(violation::assertion)), standing::unexpected);
  EXPECT_EQ(judge(races, cut_short()), standing::incomplete);
}

TEST(judgement, a_violation_that_its_steps_do_not_show) {
  result r = found(violation::data_race);
  r.violation->came_again = false;
  EXPECT_EQ(judge(races, r), standing::unexpected);
  EXPECT_EQ(describe(races, r), "violated: data race, but not when it was run again");
}

TEST(judgement, verdicts_in_words) {
  EXPECT_EQ(describe(holds, found(violation::none)), "verified");
  EXPECT_EQ(describe(holds, found(violation::leak)), "violated: leak");
  EXPECT_EQ(describe(races, found(violation::data_race)), "violated, as expected (data race)");
  EXPECT_EQ(describe(races, found(violation::none)), "no violation found, expected: data race");
  EXPECT_EQ(describe(races, found(violation::leak)), "violated: leak, expected: data race");
  EXPECT_EQ(describe(races, cut_short()),
            "incomplete: the limit of 10 executions; about 35 to 51 executions or more in all");
}

TEST(judgement, what_was_looked_at_in_part_is_said) {
  result r;
  r.limit = "samples";
  r.sample = verify::sampled{5, 100, 40, 20, 9};
  EXPECT_EQ(describe(holds, r),
            "incomplete: 100 random executions with seed 5, 40 different of an estimated 59 or "
            "more; the next one is new with a probability of about 20 %");
  r.limit = "timeout";
  r.sample = verify::sampled{5, 100};
  EXPECT_EQ(describe(holds, r),
            "incomplete: the time limit was reached (timeout) after 100 random "
            "executions with seed 5, 0 different");
  r.sample.reset();
  r.preemptions = 1;
  r.whole = verify::estimated{100, 1234, 1234, 1240};
  EXPECT_EQ(describe(holds, r),
            "incomplete: the time limit was reached (timeout) within the bound "
            "of 1 preemption; about 1,200 executions or more in all");
  r.limit = "preemptions";
  r.cut = 1234;
  EXPECT_EQ(describe(holds, r), "incomplete: bound of 1 preemption, beyond which 1,234 runs went");
  EXPECT_EQ(judge(holds, r), standing::incomplete);
  EXPECT_EQ(judge(races, r), standing::incomplete) << "what was not found may be beyond it";
}

TEST(judgement, without_a_complete_execution_nothing_holds) {
  result r = found(violation::none);
  r.executions = 0;
  r.blocked = 18;
  EXPECT_EQ(judge(holds, r), standing::unexpected);
  EXPECT_EQ(describe(holds, r), "no execution is complete: nothing is shown");
}

TEST(judgement, the_worst_decides_the_exit_status) {
  using enum standing;
  EXPECT_EQ(status_of({}), 0);
  EXPECT_EQ(status_of({as_expected, as_expected}), 0);
  EXPECT_EQ(status_of({as_expected, incomplete}), 3);
  EXPECT_EQ(status_of({incomplete, unexpected, as_expected}), 1);
  EXPECT_EQ(status_of({as_expected, incomplete}, true), 0);
  EXPECT_EQ(status_of({incomplete, unexpected}, true), 1);
}

}  // namespace
}  // namespace fencepost::cli
