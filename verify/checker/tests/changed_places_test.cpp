// Which accesses make a space large.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::uint32_t line_of_add = 0, line_of_store = 0;

// The order of the additions accounts for five runs after the first, the stores for none.
void additions() {
  checked::atomic<int> sum{0}, own[3]{};
  in_threads(3, [&](unsigned i) {
    line_of_store = __LINE__ + 1;
    own[i].store(1, relaxed);
    line_of_add = __LINE__ + 1;
    sum.fetch_add(1, relaxed);
  });
}

TEST(changed_places, are_those_that_have_a_choice) {
  const result r = check({}, additions);
  ASSERT_EQ(r.executions, 6U);
  ASSERT_EQ(r.changed.size(), 1U);
  EXPECT_EQ(r.changed[0].where.line, line_of_add);
  EXPECT_EQ(r.changed[0].runs, 5U);
  EXPECT_THAT(to_text(r), Not(HasSubstr("Most runs")));
}

TEST(changed_places, are_in_the_report_of_a_limit) {
  options o;
  o.max_executions = 4;
  const std::string text = to_text(check(o, additions));
  EXPECT_THAT(text,
              HasSubstr("changed_places_test.cpp:" + std::to_string(line_of_add) + " (100 %)"));
  EXPECT_THAT(text, HasSubstr("options::symmetric"));
  EXPECT_THAT(text, HasSubstr("options::preemptions"));
}

TEST(changed_places, are_summed_over_processes) {
  const auto longer = [] {
    checked::atomic<int> sum{0};
    in_threads(8, [&](unsigned) { sum.fetch_add(1, relaxed); });
  };
  options o;
  o.jobs = 2;
  const result r = check(o, longer);
  ASSERT_EQ(r.executions, 40'320U);
  ASSERT_EQ(r.changed.size(), 1U);
  EXPECT_GE(r.changed[0].runs, r.executions * 9 / 10);  // a part's first run has no change
  EXPECT_LT(r.changed[0].runs, r.executions);
}

}  // namespace
}  // namespace fencepost::verify::testing
