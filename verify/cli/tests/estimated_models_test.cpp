// The interval that probes estimate for each scenario holds its number of executions.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "fencepost/verify/report.hpp"
#include "fencepost/verify/text.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

constexpr std::uint64_t least = 30, most = 3'000;  // executions

verify::result explored(const entry& e) {
  verify::options o;
  o.max_executions = most;
  return e.run(o);
}

verify::result estimated(const entry& e) {
  verify::options o;
  o.probes = 40;
  return e.run(o);
}

// A number as an estimate is printed: with two digits.
double as_printed(double x) {
  std::string text = verify::rounded(x);
  std::erase(text, ',');
  return std::stod(text);
}

// Nine intervals in ten do, as they are printed. The probes are the same in each run.
TEST(estimated_models, have_intervals_that_hold_the_number_of_executions) {
  unsigned intervals = 0, right = 0;
  std::string wrong;
  for (const entry& e : registry()) {
    if (e.about.nightly || e.about.expected != violation::none) continue;
    const verify::result known = explored(e);
    if (known.outcome != verify::verdict::verified || known.executions < least) continue;
    const verify::result r = estimated(e);
    EXPECT_EQ(r.limit, "probes") << e.about.name;
    EXPECT_EQ(r.executions, 0U) << e.about.name;
    if (!r.whole) continue;
    const double executions = as_printed(static_cast<double>(known.executions));
    ++intervals;
    if (as_printed(r.whole->at_least) <= executions && executions <= as_printed(r.whole->at_most))
      ++right;
    else
      wrong += std::string(e.about.name) + ": " + in_words(*r.whole) + ", there are " +
               std::to_string(known.executions) + "\n";
  }
  EXPECT_GT(intervals, 50U);
  EXPECT_GE(right, intervals * 9 / 10) << right << " of " << intervals << "\n" << wrong;
}

}  // namespace
}  // namespace fencepost::cli
