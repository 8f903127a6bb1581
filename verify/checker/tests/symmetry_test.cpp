// Symmetric threads: of the graphs that differ only by which thread is which, one is explored, and
// no class is missed. The sets of classes with the reduction and without are compared;
// litmus_random_programs_test does the same with random programs.
#include <array>
#include <map>
#include <numeric>

#include "programs.hpp"
#include "symmetric_programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

TEST(symmetry, one_graph_of_each_class) {
  for (const symmetric_program& p : programs_of_symmetric_threads())
    EXPECT_EQ(wrong_classes(p, p.bounds), "");
}

TEST(symmetry, one_graph_of_each_class_under_each_model) {
  for (const memory_model m : all_models) {
    for (symmetric_program p : programs_of_symmetric_threads()) {
      p.bounds.model = m;
      EXPECT_EQ(wrong_classes(p, p.bounds), "") << to_string(m);
    }
  }
}

TEST(symmetry, one_graph_of_each_class_whichever_threads_are_preferred) {
  for (symmetric_program p : programs_of_symmetric_threads()) {
    p.bounds.priorities.resize(4);
    std::iota(p.bounds.priorities.begin(), p.bounds.priorities.end(), 0U);
    do {
      EXPECT_EQ(wrong_classes(p, p.bounds), "");
    } while (std::next_permutation(p.bounds.priorities.begin(), p.bounds.priorities.end()));
  }
}

// --- Outcomes ------------------------------------------------------------------------------------

TEST(symmetry, outcomes_that_tell_the_threads_apart_all_come) {
  options o;
  o.symmetric = {0, 2};
  const result r = check(o, [] {
    integer next{0};
    std::array<int, 2> ticket{};
    run_threads(2, [&](unsigned i) { ticket[i] = next.fetch_add(1, relaxed); });
    outcome(ticket[0], ticket[1]);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.outcomes, (std::map<std::string, std::uint64_t>{{"0, 1", 1}, {"1, 0", 1}}));
  EXPECT_EQ(r.symmetric, 0U);
}

// --- Violations ----------------------------------------------------------------------------------

TEST(symmetry, violations_are_found_whichever_thread_they_are_of) {
  options o;
  o.symmetric = {0, 3};
  const auto lost_update = [] {
    integer x{0};
    run_threads(3, [&](unsigned) { x.store(x.load(relaxed) + 1, relaxed); });
    require(x.load(relaxed) >= 2, "at most one update is lost");
  };
  EXPECT_EQ(found_in(lost_update, o), violation::assertion);
  const auto race = [] {
    integer x{0};
    checked::plain<int> data{0};
    run_threads(3, [&](unsigned) {
      if (x.fetch_add(1, relaxed) > 0) data.set(1);
    });
  };
  EXPECT_EQ(found_in(race, o), violation::data_race);
  const auto lost_wake_up = [] {
    integer x{0};
    run_threads(3, [&](unsigned) {
      if (x.fetch_add(1, relaxed) != 1) return;
      while (x.load(relaxed) != 4) checked::spin_pause();
    });
  };
  EXPECT_EQ(found_in(lost_wake_up, o), violation::liveness);
}

// --- What is no symmetry -------------------------------------------------------------------------

violation declared_symmetric(const std::function<void(unsigned, integer&, integer&)>& body) {
  options o;
  o.symmetric = {0, 2};
  return found_in(
      [&] {
        integer x{0}, y{0};
        run_threads(2, [&](unsigned i) { body(i, x, y); });
      },
      o);
}

TEST(symmetry, threads_that_do_different_things_are_not_symmetric) {
  EXPECT_EQ(declared_symmetric([](unsigned i, integer& x, integer&) {
              if (i == 0) return x.store(1, relaxed);
              static_cast<void>(x.load(relaxed));
            }),
            violation::misuse);
  EXPECT_EQ(declared_symmetric(
                [](unsigned i, integer& x, integer&) { x.store(1, i == 0 ? relaxed : release); }),
            violation::misuse);
  EXPECT_EQ(declared_symmetric([](unsigned i, integer& x, integer&) {
              static_cast<void>(x.load(relaxed));
              if (i == 0) x.store(1, relaxed);
            }),
            violation::misuse);
  EXPECT_EQ(declared_symmetric([](unsigned i, integer& x, integer&) {
              static_cast<void>(x.load(relaxed));
              if (i == 1) x.store(1, relaxed);
            }),
            violation::misuse);
  const auto elsewhere = [](unsigned i, integer& x, integer&) {
    // NOLINTNEXTLINE(bugprone-branch-clone): what differs is the place
    if (i == 0) {
      x.store(1, relaxed);
    } else {
      x.store(1, relaxed);
    }
  };
  EXPECT_EQ(declared_symmetric(elsewhere), violation::misuse);
}

TEST(symmetry, the_message_names_the_threads) {
  options o;
  o.symmetric = {1, 2};
  const result r = check(o, [] {
    integer x{0};
    run_threads(3, [&](unsigned i) {
      if (i == 2) return x.store(1, relaxed);
      static_cast<void>(x.load(relaxed));
    });
  });
  ASSERT_TRUE(r.violation);
  EXPECT_EQ(
      r.violation->message,
      "threads 2 and 3 are declared symmetric, but after the same beginning they do different "
      "things");
}

// Threads are no longer in step once they access locations of their own: nothing is pruned there,
// and nothing is lost.
TEST(symmetry, rows_of_their_own_are_no_difference) {
  const auto body = [] {
    std::array<integer, 3> row{};
    integer x{0};
    run_threads(3, [&](unsigned i) {
      x.fetch_add(1, relaxed);
      row[i].store(1, relaxed);
      static_cast<void>(x.load(relaxed));
    });
  };
  EXPECT_EQ(wrong_classes({"rows", {0, 3}, body}, {}), "");
  const auto crossed = [] {
    integer x{0}, y{0};
    run_threads(2, [&](unsigned i) {
      (i == 0 ? x : y).store(1, relaxed);
      static_cast<void>((i == 0 ? y : x).load(relaxed));
    });
  };
  const symmetric_exploration all = explored({"crossed", {0, 2}, crossed}, {});
  EXPECT_EQ(all.graphs.size(), 4U);
  EXPECT_EQ(all.classes.size(), 3U);
}

// Which turns of such a loop are explored depends on the order in which threads are preferred, so
// the graphs of a class do not stand for each other.
TEST(symmetry, loops_of_several_reads_are_explored_without) {
  const auto body = [] {
    integer x{0}, y{0};
    run_threads(3, [&](unsigned i) {
      if (i == 0) {
        x.store(1, release);
        y.store(1, release);
      } else {
        while (x.load(acquire) + y.load(acquire) < 2) checked::spin_pause();
      }
    });
  };
  options o;
  const symmetric_exploration one = explored({"two reads a turn", {1, 2}, body}, o);
  o.symmetry = false;
  const symmetric_exploration all = explored({"two reads a turn", {1, 2}, body}, o);
  EXPECT_EQ(one.result.symmetric, 0U);
  EXPECT_EQ(one.result.outcome, verdict::verified) << to_text(one.result);
  EXPECT_EQ(one.graphs, all.graphs);
}

TEST(symmetry, threads_created_one_by_one_are_symmetric_to_none) {
  options o;
  o.symmetric = {0, 2};
  const result r = check(o, [] {
    integer x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1, relaxed); });
  });
  EXPECT_EQ(r.executions, 2U);
  EXPECT_EQ(r.symmetric, 0U);
}

}  // namespace
}  // namespace fencepost::verify::testing
