// Runs that resume where they differ from the last one: the executions are those of runs from the
// beginning, and a body for which they would not be is noticed.
#include <gmock/gmock.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fencepost/verify/check.hpp"
#include "front_end.hpp"
#include "judged_programs.hpp"
#include "known_programs.hpp"
#include "programs.hpp"
#include "random_programs.hpp"
#include "resumed.hpp"
#include "symmetric_programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;

TEST(resuming, explores_what_runs_from_the_beginning_do) {
  for (const known_program& p : programs_of_known_count()) EXPECT_EQ(difference(p), "");
  for (const known_program& p : programs_of_every_kind()) EXPECT_EQ(difference(p), "");
}

TEST(resuming, explores_random_programs_alike) {
  for (unsigned seed = 0; seed < 300; ++seed) EXPECT_EQ(difference(random_program(seed)), "");
}

// Five of these lost executions when a resume point survived the turn in which it was kept.
TEST(resuming, explores_random_programs_that_wait_alike) {
  for (unsigned seed = 8500; seed < 10'000; ++seed)
    EXPECT_EQ(difference(random_waiting_program(seed)), "");
}

TEST(resuming, explores_programs_that_block_alike) {
  for (const judged_program& p : programs_that_block())
    EXPECT_EQ(difference(p.name, p.bounds, p.body), "");
}

TEST(resuming, puts_everything_back) {
  for (const known_program& p : programs_to_resume()) {
    EXPECT_EQ(difference(p), "");
    EXPECT_GE(check(p.bounds, p.body).executions, 24U) << p.name;
  }
}

TEST(resuming, puts_back_what_the_front_end_keeps) { EXPECT_EQ(wrong_with_front_end(), ""); }

TEST(front_end, ends_an_exploration_in_any_process) {
  EXPECT_EQ(wrong_where_more_becomes_known(), "");
}

TEST(resuming, ends_where_it_may_not_go_on) {
  for (const known_program& p : programs_to_resume())
    for (std::uint64_t executions = 1; executions < 100; ++executions)
      EXPECT_EQ(difference_within(p, executions), "") << executions;
}

TEST(resuming, looks_for_shorter_counterexamples_in_as_many_runs) {
  EXPECT_EQ(difference_once_violated(), "");
}

TEST(resuming, comes_to_a_violation_behind_a_loop_in_a_deep_frame_again) {
  EXPECT_EQ(wrong_replay_of_deep_frames(), "");
}

TEST(resuming, forgets_what_was_kept_in_a_turn_that_is_taken_back) {
  EXPECT_EQ(difference_where_a_turn_is_taken_back(), "");
}

TEST(resuming, is_not_done_where_runs_are_judged) { EXPECT_EQ(difference_where_judged(), ""); }

TEST(resuming, keeps_an_exception_that_is_handled) {
  EXPECT_EQ(difference("throws", {},
                       [] {
                         checked::atomic<int> x{0};
                         in_threads(3, [&](unsigned t) {
                           try {
                             if (x.fetch_add(1, relaxed) == 1) throw std::runtime_error("second");
                           } catch (const std::exception& e) {
                             x.store(static_cast<int>(t), relaxed);
                             require(std::string(e.what()) == "second");
                           }
                           x.fetch_add(2, relaxed);
                         });
                       })
                .find("executions"),
            std::string::npos);
}

// ---------------------------------------------------------------------------------------------
// Bodies that change what is not restored.

options resuming() {
  options o;
  o.resume_points = true;
  return o;
}

constexpr std::uint64_t of_three_adds_and_loads = 36;

// Three threads, each of which calls `f` between its two events.
template <class F>
void three_threads(F&& f) {
  checked::atomic<int> x{0};
  in_threads(3, [&](unsigned t) {
    x.fetch_add(1, acq_rel);
    f(t);
    x.load(relaxed);
  });
}

TEST(resuming, notices_a_local_variable_of_the_caller) {
  std::uint64_t runs = 0;
  const result r = check(resuming(), [&] {
    ++runs;
    three_threads([](unsigned) {});
  });
  EXPECT_EQ(r.executions, of_three_adds_and_loads);
  EXPECT_THAT(r.from_beginning, HasSubstr("one of the caller of check()"));
  EXPECT_GE(runs, r.executions);
}

int in_the_program = 0;

TEST(resuming, notices_a_static_variable_that_is_what_it_was_when_the_body_ends) {
  const result r = check(resuming(), [] {
    three_threads([](unsigned) { ++in_the_program; });
    require(in_the_program == 3);
    in_the_program = 0;
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, of_three_adds_and_loads);
  EXPECT_THAT(r.from_beginning, HasSubstr("a static variable"));
}

// Whichever run changes the variable, and for whatever reason that run is made. Few runs are
// watched; with more or fewer threads that wait, they are others.
TEST(resuming, loses_no_execution_whenever_a_static_variable_changes) {
  const auto so_far = std::make_unique<int>(0);  // memory that is not watched
  int when = 0, noticed = 0;
  for (const unsigned adds : {1U, 2U, 3U})
    for (const unsigned waiters : {0U, 1U, 2U}) {
      const auto body = [&] {
        checked::atomic<unsigned> x{0};
        in_threads(2 + waiters, [&](unsigned t) {
          for (unsigned i = 0; t < 2 && i < adds; ++i) x.fetch_add(1, acq_rel);
          while (t >= 2 && x.load(acquire) < adds) checked::spin_pause();
          if (++*so_far == when) ++in_the_program;
        });
      };
      options from_the_beginning;
      from_the_beginning.resume_points = false;
      when = 0;
      const result expected = check(from_the_beginning, body);
      for (bool changed = true; changed;) {
        ++when;
        *so_far = 0;
        const result r = check(resuming(), body);
        EXPECT_EQ(r.outcome, verdict::verified) << when << ": " << to_text(r);
        EXPECT_EQ(r.executions, expected.executions) << adds << " " << waiters << " " << when;
        if (!r.from_beginning.empty()) ++noticed;
        changed = *so_far >= when;
      }
    }
  in_the_program = 0;
  EXPECT_GT(noticed, 100);
}

thread_local int of_the_thread = 0;

TEST(resuming, notices_a_thread_local_variable) {
  const result r = check(resuming(), [] {
    three_threads([](unsigned) { ++of_the_thread; });
    require(of_the_thread == 3);
    of_the_thread = 0;
  });
  EXPECT_EQ(r.executions, of_three_adds_and_loads);
  EXPECT_THAT(r.from_beginning, HasSubstr("a static variable"));
}

// Memory that was allocated elsewhere is not watched: the resumed run is not what it would be from
// its beginning.
TEST(resuming, takes_no_violation_for_one_that_does_not_come_from_the_beginning) {
  const auto elsewhere = std::make_unique<int>(0);
  const result r = check(resuming(), [&] {
    *elsewhere = 0;
    three_threads([&](unsigned) { ++*elsewhere; });
    require(*elsewhere == 3);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, of_three_adds_and_loads);
  EXPECT_THAT(r.from_beginning, HasSubstr("went differently from its beginning"));
}

TEST(resuming, notices_what_is_recorded_otherwise_from_the_beginning) {
  const auto elsewhere = std::make_unique<int>(0);
  const result r = check(resuming(), [&] {
    *elsewhere = 0;
    three_threads([&](unsigned) { ++*elsewhere; });
    outcome(*elsewhere);
  });
  EXPECT_EQ(r.outcomes, (std::map<std::string, std::uint64_t>{{"3", of_three_adds_and_loads}}));
  EXPECT_THAT(r.from_beginning, HasSubstr("went differently from its beginning"));
}

TEST(resuming, frees_what_malloc_gave_once) {
  const result r = check(resuming(), [] {
    three_threads([](unsigned) {
      checked::atomic<int> own{0};
      void* const p = std::malloc(64);
      require(p != nullptr);
      own.fetch_add(1, relaxed);
      std::free(p);
    });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, of_three_adds_and_loads);
  EXPECT_THAT(r.from_beginning, HasSubstr("malloc"));
}

TEST(resuming, says_nothing_where_it_was_not_wanted) {
  options o;
  o.resume_points = false;
  int runs = 0;
  EXPECT_EQ(check(o,
                  [&] {
                    ++runs;
                    three_threads([](unsigned) {});
                  })
                .from_beginning,
            "");
}

}  // namespace
}  // namespace fencepost::verify::testing
