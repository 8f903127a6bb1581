// Estimates of the number of executions, against the number that an exploration counts.
#include <gtest/gtest.h>

#include <iostream>
#include <optional>

#include "divide/estimator.hpp"
#include "explore/estimate.hpp"
#include "fencepost/verify/checkpoint.hpp"
#include "known_programs.hpp"
#include "probes.hpp"
#include "programs.hpp"
#include "random_programs.hpp"
#include "symmetric_programs.hpp"

namespace fencepost::verify::testing {
namespace {

template <unsigned Threads>
void increments() {
  checked::atomic<int> x{0};
  in_threads(Threads, [&](unsigned) { x.fetch_add(1, relaxed); });
}

TEST(probes, come_to_the_number_of_executions_on_average) {
  std::vector<known_program> all = programs_of_known_count();
  for (const known_program& p : programs_of_every_kind()) all.push_back(p);
  for (const symmetric_program& p : programs_of_symmetric_threads()) {
    all.push_back({p.name, 0, p.body, p.bounds});
    all.back().bounds.symmetric = p.symmetric;
  }
  for (const known_program& p : all) EXPECT_EQ(wrong_on_average(p), "");
}

TEST(probes, within_a_bound_on_preemptions_come_to_what_is_explored_there) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    known_program p = random_program(seed);
    p.bounds.preemptions = seed % 3;
    EXPECT_EQ(wrong_on_average(p), "");
  }
}

TEST(probes, make_intervals_that_hold_the_number_of_executions) {
  EXPECT_EQ(wrong_intervals(100), "");
}

TEST(probes, with_the_same_seed_are_the_same) {
  const known_program p = random_program(20);
  EXPECT_EQ(probed(p, 20, 7), probed(p, 20, 7));
  EXPECT_NE(probed(p, 20, 7), probed(p, 20, 8));
}

TEST(probes, begin_again_where_the_tree_changes) { EXPECT_EQ(wrong_where_the_tree_changes(), ""); }

// Of the many alternatives of one choice, a probe takes some.
TEST(probes, take_some_ways_of_choices_with_many) {
  const auto body = [] {
    checked::atomic<int> x{0};
    concurrently(
        [&] {
          for (int i = 0; i < 1'500; ++i) x.store(i, relaxed);
        },
        [&] { static_cast<void>(x.load(relaxed)); });
  };
  for (const double executions : probed({"many stores", 0, body, {}}, 3, 1))
    EXPECT_GT(executions, 500);
}

// ---- large spaces ----

void stores_and_loads(unsigned writers, unsigned readers) {
  checked::atomic<int> x{0};
  in_threads(writers + readers, [&](unsigned i) {
    if (i < writers)
      x.store(static_cast<int>(i) + 1, release);
    else
      static_cast<void>(x.load(acquire));
  });
}

void store_buffering(int rounds) {
  checked::atomic<int> x[3] = {};
  in_threads(3, [&](unsigned i) {
    for (int round = 1; round <= rounds; ++round) {
      x[i].store(round, relaxed);
      checked::fence(seq_cst);
      static_cast<void>(x[(i + 1) % 3].load(relaxed));
      static_cast<void>(x[(i + 2) % 3].load(relaxed));
    }
  });
}

void ladder(unsigned threads) {
  checked::atomic<int> x{0};
  in_threads(threads, [&](unsigned i) {
    int expected = static_cast<int>(i);
    x.compare_exchange_strong(expected, expected + 1, relaxed, relaxed);
  });
}

// The numbers are known by arithmetic, or were counted once.
TEST(probes, of_large_spaces_make_intervals_that_hold_the_number_of_executions) {
  const known_program programs[] = {
      {"9!", 362'880, increments<9>, {}},
      {"10!", 3'628'800, increments<10>, {}},
      {"5! 6^5", 933'120, [] { stores_and_loads(5, 5); }, {}},
      {"6! 7^6", 84'707'280, [] { stores_and_loads(6, 6); }, {}},
      {"store buffering, 3 rounds", 1'494'859, [] { store_buffering(3); }, {}},
      {"a ladder of 11", 182'905, [] { ladder(11); }, {}},
      {"a ladder of 12", 919'146, [] { ladder(12); }, {}},
  };
  unsigned wrong = 0;
  for (const known_program& p : programs) {
    const std::optional<estimated> e = estimate_from(probed(p, 200, 1));
    ASSERT_TRUE(e) << p.name;
    const auto known = static_cast<double>(p.executions);
    if (e->at_least <= known && known <= e->at_most) continue;
    ++wrong;
    std::cout << p.name << ": " << e->at_least << " to " << e->at_most << "\n";
  }
  EXPECT_LE(wrong, 1U);
}

TEST(estimates, of_few_probes_say_nothing) {
  EXPECT_FALSE(estimate_from({}));
  EXPECT_FALSE(estimate_from(std::vector<double>(least_probes - 1, 5)));
  EXPECT_FALSE(estimate_from(std::vector<double>(100, 0))) << "no execution was complete";
  const std::optional<estimated> same = estimate_from(std::vector<double>(least_probes, 5));
  ASSERT_TRUE(same);
  EXPECT_NEAR(same->at_least, 5, 1e-9);
  EXPECT_NEAR(same->at_most, 5, 1e-9);
}

TEST(estimates, give_way_to_what_was_explored) {
  const std::optional<estimated> e = estimated{100, 50, 40, 60};
  EXPECT_EQ(with_explored(e, 10)->at_least, 40);
  EXPECT_EQ(with_explored(e, 45)->at_least, 45);
  EXPECT_EQ(with_explored(e, 55)->executions, 55);
  EXPECT_FALSE(with_explored(e, 60));
  EXPECT_FALSE(with_explored({}, 1));
}

// ---- while exploring ----

options that_estimate() {
  options o;
  o.estimate = true;
  o.digest = true;
  return o;
}

TEST(estimates, are_made_where_a_limit_is_reached) {
  options o = that_estimate();
  o.max_executions = 200;
  const result r = check(o, increments<7>);
  ASSERT_TRUE(r.whole) << to_text(r);
  EXPECT_GE(r.whole->at_least, 200);
  EXPECT_GT(r.whole->at_most, 500);
  EXPECT_LT(r.whole->at_least, 50'000);
  EXPECT_GT(r.fraction, 0);
  EXPECT_LT(r.fraction, 1);
  EXPECT_NE(to_text(r).find(" or more"), std::string::npos) << to_text(r);
  o.estimate = false;
  EXPECT_FALSE(check(o, increments<7>).whole);
}

TEST(estimates, do_not_change_the_exploration) {
  for (const unsigned jobs : {1U, 2U}) {
    options o = that_estimate();
    o.jobs = jobs;
    std::optional<estimated> last;
    o.on_progress = [&](const progress& p) { last = p.whole ? p.whole : last; };
    const result with = check(o, increments<8>);
    o.estimate = false;
    const result without = check(o, increments<8>);
    EXPECT_EQ(with.outcome, verdict::verified);
    EXPECT_EQ(with.executions, 40'320U);
    EXPECT_EQ(with.executions, without.executions);
    EXPECT_EQ(with.blocked, without.blocked);
    EXPECT_EQ(with.digest, without.digest);
    EXPECT_FALSE(with.whole) << "all was explored";
  }
}

TEST(estimates, are_kept_with_an_exploration_that_is_stopped) {
  std::string kept;
  options o = that_estimate();
  o.max_executions = 200;
  o.on_checkpoint = [&](const std::string& text) { kept = text; };
  const result first = check(o, increments<6>);
  ASSERT_TRUE(first.whole);
  const checkpoint c(kept);
  ASSERT_TRUE(c.whole());
  EXPECT_EQ(c.whole()->probes, first.whole->probes);
  EXPECT_FALSE(c.part(0).whole()) << "the part is not the whole";
  o.max_executions = 0;
  o.resume = kept;
  const result rest = check(o, increments<6>);
  EXPECT_EQ(rest.executions, 720U);
  EXPECT_FALSE(rest.whole);
  EXPECT_FALSE(checkpoint(kept).whole());
}

TEST(estimates, end_with_their_process) {
  const estimator e([](std::uint64_t, const auto&) -> std::optional<double> { ::_exit(1); });
  e.wait(1'000'000, std::chrono::hours(1));
  EXPECT_FALSE(e.now());
}

TEST(estimates, begin_again_with_another_tree) {
  estimator e([](std::uint64_t seed, const std::function<void()>& pause) -> std::optional<double> {
    pause();
    if (seed == 100) return {};
    return seed < 100 ? 1e9 : 5;
  });
  e.allow(std::chrono::hours(1));
  e.wait(2'000, std::chrono::hours(1));
  const std::optional<estimated> now = e.now();
  ASSERT_TRUE(now);
  EXPECT_EQ(now->probes, 2'000U);
  EXPECT_NEAR(now->executions, 5, 1e-6);
}

}  // namespace
}  // namespace fencepost::verify::testing
