// Explorations in several processes, and what may happen to these.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include "fencepost/verify/report.hpp"
#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using integer = checked::atomic<int>;

// Long enough to be divided: 322,560 executions for eight threads, 3,265,920 for nine.
template <unsigned Threads>
void increments() {
  integer x{0}, y{0};
  in_threads(Threads, [&](unsigned i) {
    x.fetch_add(1, relaxed);
    if (i == 0) static_cast<void>(y.load(relaxed));
    if (i == 1) y.store(1, relaxed);
  });
  require(x.load() == static_cast<int>(Threads), "all are counted");
}

// Goes wrong far to the right of the search tree: an early read sees a later write, which is one of
// the last things to be tried.
void goes_wrong_late() {
  integer x{0}, y{0};
  int early = 1;
  in_threads(8, [&](unsigned i) {
    if (i == 0) early = y.load(relaxed);
    if (i == 1) y.store(1, relaxed);
    x.fetch_add(1, relaxed);
  });
  require(early == 1, "the store is seen");
}

// Spins, which the checker learns in a run that is far from the first.
void learns_late() {
  integer x{0}, y{0}, ready{0};
  in_threads(8, [&](unsigned i) {
    const bool early = i == 0 && y.load(relaxed) == 0;
    if (i == 1) y.store(1, relaxed);
    x.fetch_add(1, relaxed);
    if (i == 2) ready.store(1, release);
    if (early)
      while (ready.load(acquire) == 0) checked::spin_pause();
  });
}

options of(unsigned jobs) {
  options o;
  o.jobs = jobs;
  o.digest = true;
  return o;
}

void expect_same(const result& one, const result& many) {
  EXPECT_EQ(one.outcome, many.outcome) << to_text(many);
  EXPECT_EQ(one.executions, many.executions);
  EXPECT_EQ(one.blocked, many.blocked);
  EXPECT_EQ(one.digest, many.digest);
  EXPECT_EQ(one.outcomes, many.outcomes);
  EXPECT_EQ(one.events, many.events);
  EXPECT_EQ(one.threads, many.threads);
  EXPECT_EQ(one.violations, many.violations);
  EXPECT_EQ(many.fraction, 1);
  ASSERT_EQ(one.violation.has_value(), many.violation.has_value());
  if (!one.violation) return;
  EXPECT_EQ(one.violation->path, many.violation->path);
  EXPECT_EQ(one.violation->message, many.violation->message);
  EXPECT_EQ(to_text(*one.violation), to_text(*many.violation));
}

TEST(division, any_number_of_processes_explores_the_same) {
  const result one = check(of(1), increments<8>);
  ASSERT_EQ(one.outcome, verdict::verified) << to_text(one);
  for (const unsigned jobs : {2U, 3U, 7U}) expect_same(one, check(of(jobs), increments<8>));
}

TEST(division, finds_the_first_counterexample_on_the_way) {
  const result one = check(of(1), goes_wrong_late);
  ASSERT_EQ(one.outcome, verdict::violated);
  ASSERT_GT(one.executions, 40'000U) << "as late as it is meant to be";
  for (const unsigned jobs : {2U, 5U}) expect_same(one, check(of(jobs), goes_wrong_late));
}

TEST(division, finds_a_shorter_counterexample_as_one_process_does) {
  options one = of(1), two = of(2);
  one.shorten = two.shorten = 1000;
  expect_same(check(one, goes_wrong_late), check(two, goes_wrong_late));
}

TEST(division, begins_again_with_what_one_process_has_learned) {
  const result one = check(of(1), learns_late);
  ASSERT_EQ(one.outcome, verdict::verified) << to_text(one);
  EXPECT_GT(one.seconds, 0.5) << "long enough to be divided before it is learned";
  for (const unsigned jobs : {2U, 4U}) expect_same(one, check(of(jobs), learns_late));
}

// 17,640 executions; the outcomes are found in an order other than that of their names.
void outcomes_of_many() {
  integer x{0};
  int seen[7] = {};
  in_threads(7, [&](unsigned i) {
    seen[i] = x.fetch_add(1, relaxed);
    if (i < 2) x.fetch_add(1, relaxed);
  });
  outcome(seen[3], seen[5]);
}

TEST(division, keeps_the_examples_that_one_process_keeps) {
  options o = of(1);
  o.examples = 20;
  const result one = check(o, outcomes_of_many);
  ASSERT_EQ(one.examples.size(), 20U);
  EXPECT_GT(one.outcomes.size(), 20U);
  for (const unsigned jobs : {2U, 5U}) {
    o.jobs = jobs;
    const result many = check(o, outcomes_of_many);
    expect_same(one, many);
    ASSERT_EQ(many.examples.size(), one.examples.size());
    for (const auto& [outcome, shown] : one.examples) {
      ASSERT_TRUE(many.examples.contains(outcome)) << outcome;
      EXPECT_EQ(to_text(many.examples.at(outcome), {}), to_text(shown, {}));
    }
  }
}

TEST(division, rechecks_each_graph_once) {
  options o = of(3);
  o.recheck = true;
  const result r = check(o, increments<7>);
  ASSERT_TRUE(r.recheck);
  EXPECT_EQ(r.recheck->graphs, r.executions);
  EXPECT_EQ(r.recheck->confirmed, r.executions);
}

TEST(division, a_limit_is_a_limit) {
  options o = of(2);
  o.timeout = std::chrono::milliseconds(600);
  result r = check(o, increments<9>);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_EQ(r.limit, "timeout");
  EXPECT_GT(r.executions, 0U);
  EXPECT_LT(r.fraction, 1);
  o = of(2);
  o.max_executions = 100'000;
  r = check(o, increments<9>);
  EXPECT_EQ(r.limit, "max_executions");
  EXPECT_GE(r.executions, 100'000U);
  EXPECT_LT(r.executions, 3'265'920U);
  const std::atomic<bool> stop{true};
  o = of(2);
  o.stop = &stop;
  EXPECT_EQ(check(o, increments<9>).limit, "interrupted");
}

// Each run takes so long that the limits are checked after it.
TEST(division, a_limit_that_is_just_reached_leaves_the_result_complete) {
  options o = of(2);
  o.repeat = false;
  o.max_executions = 2;
  const result r = check(o, [] {
    const auto began = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - began < std::chrono::milliseconds(30)) continue;
    integer x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1); });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 2U);
}

TEST(division, says_how_far_it_is) {
  options o = of(2);
  o.estimate = true;
  std::vector<progress> seen;
  o.on_progress = [&](const progress& p) { seen.push_back(p); };
  const result r = check(o, increments<9>);
  ASSERT_GE(seen.size(), 3U);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    EXPECT_GE(seen[i].seconds, seen[i - 1].seconds);
    EXPECT_GE(seen[i].fraction, 0);
    EXPECT_LE(seen[i].fraction, 1);
    EXPECT_LE(seen[i].executions, r.executions);
  }
  EXPECT_EQ(seen.front().fraction, 0) << "at first nothing is estimated";
}

// ---- what may happen to a process ----

// The processes that this one has started.
std::vector<pid_t> children() {
  std::vector<pid_t> all;
  std::ifstream file("/proc/self/task/" + std::to_string(gettid()) + "/children");
  for (pid_t p = 0; file >> p;) all.push_back(p);
  return all;
}

TEST(division, what_a_killed_process_has_explored_is_explored_again) {
  const result one = check(of(1), increments<9>);
  options o = of(3);
  unsigned seen = 0, killed = 0;
  o.on_progress = [&](const progress&) {
    const std::vector<pid_t> all = children();
    if (all.empty() || killed == 2 || ++seen % 2 != 0) return;
    ::kill(all[killed % all.size()], SIGKILL);
    ++killed;
  };
  const result r = check(o, increments<9>);
  EXPECT_EQ(killed, 2U);
  expect_same(one, r);
}

TEST(division, gives_up_if_processes_are_killed_again_and_again) {
  options o = of(2);
  o.on_progress = [](const progress&) {
    for (const pid_t p : children()) ::kill(p, SIGKILL);
  };
  const result r = check(o, increments<9>);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_THAT(r.limit, HasSubstr("signal 9"));
}

TEST(division, a_crash_of_the_program_is_found) {
  const auto crashes = [] {
    integer x{0}, y{0};
    in_threads(8, [&](unsigned i) {
      if (i == 0 && y.load(relaxed) == 1) std::abort();
      if (i == 1) y.store(1, relaxed);
      x.fetch_add(1, relaxed);
    });
  };
  const result r = check(of(2), crashes);
  ASSERT_EQ(r.outcome, verdict::violated) << r.limit;
  EXPECT_EQ(r.violation->kind, violation::crash);
}

TEST(division, a_program_that_knows_its_process_is_found_out) {
  const pid_t first = getpid();
  const auto knows = [first] {
    increments<8>();
    require(getpid() == first, "in the first process");
  };
  const result r = check(of(2), knows);
  ASSERT_EQ(r.outcome, verdict::violated) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::nondeterminism);
  EXPECT_THAT(r.violation->message, HasSubstr("in the first process"));
}

TEST(division, leaves_no_process_behind) {
  check(of(3), increments<8>);
  EXPECT_THAT(children(), IsEmpty());
}

// ---- FENCEPOST_JOBS ----

TEST(division, the_environment_says_how_many) {
  unsigned most = 0;
  options o;
  o.on_progress = [&](const progress&) {
    most = std::max(most, static_cast<unsigned>(children().size()));
  };
  ::setenv("FENCEPOST_JOBS", "3", 1);
  EXPECT_EQ(check(o, increments<8>).outcome, verdict::verified);
  EXPECT_EQ(most, 3U);
  ::setenv("FENCEPOST_JOBS", "many", 1);
  const result r = check(o, increments<2>);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_THAT(r.limit, HasSubstr("FENCEPOST_JOBS"));
  ::unsetenv("FENCEPOST_JOBS");
}

}  // namespace
}  // namespace fencepost::verify::testing
