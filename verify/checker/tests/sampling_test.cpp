// Random executions: all graphs of a small program are drawn, and no others; estimates are near the
// truth; the same seed draws the same; faults are found, also where there is too much to explore.
#include "known_programs.hpp"
#include "programs.hpp"
#include "random_programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

TEST(sampling, draws_the_graphs_that_there_are_and_no_others) {
  for (const known_program& p : programs_of_known_count()) {
    if (p.executions <= 800) {
      EXPECT_EQ(wrong_draws(p), "");
    }
  }
}

TEST(sampling, draws_the_graphs_that_there_are_with_all_kinds_of_choices) {
  for (known_program p : programs_of_every_kind()) {
    for (const memory_model m : all_models) {
      p.bounds.model = m;
      EXPECT_EQ(wrong_draws(p), "") << to_string(m);
    }
  }
}

TEST(sampling, draws_the_graphs_that_there_are_of_random_programs) {
  for (unsigned seed = 0; seed < 100; ++seed) EXPECT_EQ(wrong_draws(random_program(seed)), "");
}

// Two things to wait for, in turns that read one or both.
void wait_for_both() {
  integer x{0}, y{0};
  in_threads(3, [&](unsigned i) {
    if (i == 0) return x.store(1, release);
    if (i == 1) return y.store(1, release);
    while (x.load(acquire) == 0 || y.load(acquire) == 0) checked::spin_pause();
  });
}

void wait_for_three_turns() {
  integer x{0}, y{0};
  in_threads(2, [&](unsigned i) {
    if (i == 0) return x.store(1, release);
    for (int turn = 0; turn < 3 && x.load(acquire) == 0; ++turn) checked::spin_pause();
    y.store(1, relaxed);
  });
}

TEST(sampling, draws_what_loops_wait_for) {
  EXPECT_EQ(wrong_draws({"both flags", 0, wait_for_both}), "");
  EXPECT_EQ(wrong_draws({"three turns", 0, wait_for_three_turns}), "");
}

TEST(sampling, draws_and_explores_the_same_however_deep_the_frames_are) {
  EXPECT_EQ(wrong_order_in_deep_frames(), "");
}

result draw(std::uint64_t samples, std::uint64_t seed, const std::function<void()>& body,
            std::vector<std::uint64_t>* graphs = nullptr) {
  options o;
  o.samples = samples;
  o.seed = seed;
  if (graphs != nullptr) o.on_graph = [=](std::uint64_t g) { graphs->push_back(g); };
  return check(o, body);
}

// 5,040 graphs.
void seven_increments() {
  integer x{0};
  in_threads(7, [&](unsigned) { x.fetch_add(1); });
}

TEST(sampling, the_same_seed_draws_the_same) {
  std::vector<std::uint64_t> first, again, other, longer;
  draw(500, 7, seven_increments, &first);
  draw(500, 7, seven_increments, &again);
  draw(500, 8, seven_increments, &other);
  draw(1000, 7, seven_increments, &longer);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  ASSERT_GT(longer.size(), first.size());
  longer.resize(first.size());
  EXPECT_EQ(first, longer) << "more executions begin with the same ones";
}

TEST(sampling, is_never_called_exhaustive) {
  const result r = draw(1000, 1, [] {
    integer x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1); });
  });
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_EQ(r.limit, "samples");
  ASSERT_TRUE(r.sample);
  EXPECT_EQ(r.sample->draws, 1000U);
  EXPECT_EQ(r.sample->graphs, 2U);
  EXPECT_EQ(r.executions, 2U) << "what is drawn again does not count again";
  EXPECT_EQ(r.sample->least(), 2);
  EXPECT_EQ(r.sample->unseen(), 0);
  EXPECT_NE(to_text(r).find("seed 1"), std::string::npos) << to_text(r);
  EXPECT_EQ(to_text(r).find("exhaustive"), std::string::npos) << to_text(r);
}

TEST(sampling, estimates_are_near_what_is_so) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const result half = draw(2000, seed, seven_increments);
    const result whole = draw(4000, seed, seven_increments);
    // The share of new graphs in the second half, during which the probability falls.
    const double fresh = static_cast<double>(whole.sample->graphs - half.sample->graphs) / 2000;
    EXPECT_LT(fresh, half.sample->unseen() + 0.05);
    EXPECT_GT(fresh, whole.sample->unseen() - 0.05);
    EXPECT_GT(half.sample->unseen(), 0.2) << "or this says nothing";
    // A lower bound, within the error of an estimate, that says more than the number seen.
    EXPECT_LT(whole.sample->least(), 5040 * 1.1);
    EXPECT_GT(whole.sample->least(), static_cast<double>(whole.sample->graphs) * 1.2);
  }
}

// Each of eight threads adds ten times; in some of the more than 8! executions an addition is lost.
void loses_an_addition() {
  integer x{0};
  in_threads(8, [&](unsigned i) {
    for (int n = 0; n < 10; ++n) {
      if (i == 5 && n == 9)
        x.store(x.load(relaxed) + 1, relaxed);
      else
        x.fetch_add(1, relaxed);
    }
  });
  require(x.load(relaxed) == 80, "no addition is lost");
}

TEST(sampling, finds_faults_where_there_is_too_much_to_explore) {
  options o;
  o.max_executions = 100'000;
  EXPECT_EQ(check(o, loses_an_addition).outcome, verdict::incomplete) << "of exploring in order";
  const result drawn = draw(1000, 1, loses_an_addition);
  ASSERT_EQ(drawn.outcome, verdict::violated) << to_text(drawn);
  EXPECT_EQ(drawn.violation->kind, violation::assertion);
}

void message_too_early() {
  checked::plain<int> data{0};
  integer ready{0};
  in_threads(2, [&](unsigned i) {
    if (i == 0) {
      data.set(1);
      ready.store(1, relaxed);
    } else if (ready.load(acquire) == 1) {
      static_cast<void>(data.get());
    }
  });
}

TEST(sampling, a_counterexample_is_come_to_again) {
  const result r = draw(1000, 3, message_too_early);
  ASSERT_EQ(r.outcome, verdict::violated);
  EXPECT_EQ(r.violation->kind, violation::data_race);
  EXPECT_EQ(r.limit, "");
  options o;
  o.samples = r.violation->samples;
  o.seed = r.violation->seed;
  o.replay = r.violation->path;
  const result again = check(o, message_too_early);
  ASSERT_EQ(again.outcome, verdict::violated);
  ASSERT_EQ(again.violation->steps.size(), r.violation->steps.size());
  for (std::size_t i = 0; i < r.violation->steps.size(); ++i)
    EXPECT_EQ(again.violation->steps[i].text, r.violation->steps[i].text);
}

TEST(sampling, finds_who_waits_for_ever) {
  const auto lost = [](bool answers) {
    return [answers] {
      integer x{0}, y{0};
      in_threads(2, [&](unsigned i) {
        if (i == 0) {
          x.store(1, release);
          while (y.load(acquire) == 0) checked::spin_pause();
        } else if (answers || x.load(acquire) == 1) {
          y.store(1, release);
        }
      });
    };
  };
  const result r = draw(200, 1, lost(false));
  ASSERT_EQ(r.outcome, verdict::violated) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::liveness);
  EXPECT_EQ(draw(200, 1, lost(true)).outcome, verdict::incomplete);
}

TEST(sampling, stops_at_its_limits) {
  options o;
  o.samples = ~std::uint64_t{0};
  o.timeout = std::chrono::milliseconds(50);
  const result r = check(o, seven_increments);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_EQ(r.limit, "timeout");
  EXPECT_GT(r.sample->draws, 1U);
  o.timeout = {};
  o.max_executions = 100;
  EXPECT_EQ(check(o, seven_increments).sample->draws, 100U);
}

}  // namespace
}  // namespace fencepost::verify::testing
