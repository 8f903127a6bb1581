// The checker allows every outcome that real threads show: for each scenario that records outcomes,
// those seen on this machine are among those that the checker explores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "fencepost/stress/stress_run.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

using outcomes = std::set<std::string>;

outcomes explored(const entry& e) {
  verify::options o;
  o.outcomes = e.about.outcomes;
  o.spurious_failures = e.about.spurious_failures;
  o.spurious_wakeups = e.about.spurious_wakeups;
  o.timeouts = e.about.timeouts;
  outcomes all;
  const verify::result r = e.run(o);
  EXPECT_EQ(r.outcome, verify::verdict::verified);
  for (const auto& [outcome, count] : r.outcomes) all.insert(outcome);
  return all;
}

outcomes seen(const entry& e, double seconds) {
  stress::options o;
  o.seconds = seconds;
  outcomes all;
  const stress::result r = stress::run(*e.on_threads, o);
  EXPECT_TRUE(r.broken.empty()) << r.broken.front().what;
  for (const stress::seen_outcome& s : r.outcomes) all.insert(s.result);
  return all;
}

// The outcomes that were seen but are not allowed.
outcomes beyond(const outcomes& seen, const outcomes& allowed) {
  outcomes left;
  for (const std::string& o : seen) {
    if (!allowed.contains(o)) left.insert(o);
  }
  return left;
}

std::vector<entry> with_outcomes() {
  std::vector<entry> all = registry();
  std::erase_if(all, [](const entry& e) {
    return e.about.outcomes.empty() || e.about.expected != violation::none;
  });
  return all;
}

TEST(soundness, what_is_seen_on_real_threads_is_among_what_the_checker_allows) {
  unsigned compared = 0;
  for (const entry& e : with_outcomes()) {
    ASSERT_NE(e.on_threads, nullptr) << e.about.name;
    outcomes allowed = explored(e);
    // Add the outcome of load buffering, which the checker does not explore under rc20.
    if (e.about.name == "litmus/lb") {
      EXPECT_TRUE(allowed.insert("1, 1").second);
    }
    const outcomes came = seen(e, 0.3);
    EXPECT_FALSE(came.empty()) << e.about.name;
    EXPECT_THAT(beyond(came, allowed), testing::IsEmpty()) << e.about.name;
    ++compared;
  }
  EXPECT_GE(compared, 15U);
}

// The comparison is not vacuous: if an outcome that every machine shows is removed from those that
// are allowed, it is reported.
TEST(soundness, an_outcome_that_the_checker_had_missed_would_be_found) {
  for (const entry& e : with_outcomes()) {
    if (e.about.name != "litmus/mp") continue;
    const outcomes came = seen(e, 0.3);
    for (const char* const missed : {"0, 0", "1, 1"}) {
      outcomes doctored = explored(e);
      ASSERT_EQ(doctored.erase(missed), 1U);
      EXPECT_EQ(beyond(came, doctored), outcomes{missed});
    }
    return;
  }
  FAIL() << "there is no litmus/mp";
}

}  // namespace
}  // namespace fencepost::cli
