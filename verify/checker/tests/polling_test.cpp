// Loops that look, under a mutex, whether to go on: a turn that finds nothing can be left out,
// although it has taken the mutex, unless another thread may have noticed. Each program is also
// written with a number of turns after which the execution does not count.
#include "parts.hpp"
#include "polling_loops.hpp"
#include "polling_programs.hpp"
#include "programs.hpp"
#include "resumed.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;
using mutex = checked::mutex;

TEST(polling, has_the_outcomes_of_any_number_of_turns) {
  const auto polling = polling_programs(), two = polling_programs_of_two_turns(),
             three = polling_programs_of_three_turns();
  for (std::size_t i = 0; i < polling.size(); ++i) {
    for (const memory_model m : all_models) {
      const options o = testing::under(m);
      const std::set<std::string> found = outcomes_of(o, polling[i].body);
      EXPECT_FALSE(found.empty()) << polling[i].name;
      EXPECT_EQ(found, outcomes_of(o, two[i].body)) << polling[i].name;
      if (m == memory_model::rc20) {
        EXPECT_EQ(found, outcomes_of(o, three[i].body)) << polling[i].name;
      }
    }
  }
}

// A dead value in a frame may cost one turn more in one order than in another.
TEST(polling, has_the_same_outcomes_in_every_order) {
  for (const known_program& p : polling_programs()) {
    const std::set<std::string> found = outcomes_of({}, p.body);
    options o;
    o.priorities = {0, 1, 2, 3};
    do EXPECT_EQ(found, outcomes_of(o, p.body)) << p.name;
    while (std::next_permutation(o.priorities.begin(), o.priorities.end()));
  }
}

TEST(polling, has_no_execution_twice_and_the_same_ones_in_parts_and_from_resume_points) {
  for (const known_program& p : polling_programs()) {
    EXPECT_EQ(wrong_count(p), "");
    EXPECT_EQ(wrong_in_parts(p, 3, 1), "");
    EXPECT_EQ(difference(p), "");
  }
}

TEST(polling, is_judged_right_by_the_axioms) {
  for (known_program p : polling_programs()) {
    p.bounds.recheck = true;
    p.bounds.digest = true;
    const result r = check(p.bounds, p.body);
    EXPECT_EQ(r.recheck->rejected, 0U) << p.name << ": " << r.recheck->why;
    EXPECT_EQ(r.recheck->confirmed, r.executions) << p.name;
  }
}

// ---- what is wrong ----

TEST(polling, in_vain_is_found) {
  const auto never_done = [](bool done_for_a_moment) {
    return found_in_every_order([=] {
      mutex m;
      plain done{0};
      concurrently(
          [&] {
            {
              const std::lock_guard lock(m);
              done.set(done_for_a_moment ? 1 : 0);
            }
            const std::lock_guard lock(m);
            done.set(0);
          },
          [&] { by_polling::until(under(m, [&] { return done.get() == 1; })); });
    });
  };
  EXPECT_EQ(never_done(false), violation::liveness);
  EXPECT_EQ(never_done(true), violation::liveness);  // the polling thread may have come too late
}

TEST(polling, of_a_mutex_that_is_never_free_is_found) {
  EXPECT_EQ(found_in_every_order([] {
              mutex m;
              plain done{0};
              concurrently([&] { m.lock(); },
                           [&] { by_polling::until(under(m, [&] { return done.get() == 1; })); });
            }),
            violation::liveness);
}

TEST(polling, under_a_spinlock_in_vain_is_found) {
  EXPECT_EQ(found_in_every_order([] {
              spinlock m;
              plain done{0};
              concurrently([&] { const std::lock_guard lock(m); },
                           [&] { by_polling::until(under(m, [&] { return done.get() == 1; })); });
            }),
            violation::liveness);
}

// Another thread that waits as well may wait for the lock to be held.
TEST(polling, by_two_under_a_spinlock_in_vain_is_not_verified) {
  const result r = check({}, [] {
    spinlock m;
    plain done{0};
    const auto poll = [&] { by_polling::until(under(m, [&] { return done.get() == 1; })); };
    concurrently(poll, poll);
  });
  EXPECT_NE(r.outcome, verdict::verified) << to_text(r);
}

// What the polling thread wrote is published only after its first turn.
TEST(polling, orders_nothing_before_its_first_turn) {
  EXPECT_EQ(found_in_every_order([] {
              mutex m;
              plain done{0}, data{0};
              concurrently(
                  [&] {
                    data.set(1);
                    by_polling::until(under(m, [&] { return done.get() == 1; }));
                  },
                  [&] {
                    const std::lock_guard lock(m);
                    static_cast<void>(data.get());
                    done.set(1);
                  });
            }),
            violation::data_race);
}

TEST(polling, races_with_what_is_written_without_the_mutex) {
  EXPECT_EQ(found_in_every_order([] {
              mutex m;
              plain done{0};
              concurrently([&] { done.set(1); },
                           [&] { by_polling::until(under(m, [&] { return done.get() == 1; })); });
            }),
            violation::data_race);
}

TEST(polling, uses_a_mutex_that_another_thread_destroys) {
  EXPECT_EQ(found_in_every_order([] {
              integer done{0};
              auto m = std::make_unique<mutex>();
              concurrently(
                  [&] {
                    m.reset();
                    done.store(1, relaxed);
                  },
                  [&, &polled = *m] {
                    by_polling::until([&] {
                      if (done.load(relaxed) == 1) return true;
                      const std::lock_guard lock(polled);
                      return false;
                    });
                  });
            }),
            violation::use_after_free);
}

// ---- turns that others notice ----

TEST(polling, that_others_notice_is_not_left_out) { EXPECT_EQ(wrong_polling(), ""); }

// What is polled for is set only if the mutex was found held.
TEST(polling, is_noticed_by_a_thread_that_tries_the_mutex_at_last) {
  options o;
  o.max_events = 60;
  const result r = check(o, [] {
    mutex m;
    plain done{0};
    integer known{0};
    concurrently(
        [&] {
          if (m.try_lock())
            m.unlock();
          else
            known.store(1, release);
        },
        [&] { by_polling::until(under(m, [&] { return done.get() == 1; })); },
        [&] {
          if (known.load(acquire) == 1) {
            const std::lock_guard lock(m);
            done.set(1);
          }
        });
  });
  EXPECT_NE(r.outcome, verdict::verified) << to_text(r);
}

// A turn that begins or ends with the mutex held has not given it back.
TEST(polling, keeps_a_mutex_from_turn_to_turn) {
  EXPECT_EQ(found_in_every_order([] {
              mutex m;
              integer done{0};
              concurrently(
                  [&] {
                    const std::lock_guard lock(m);
                    done.store(1, relaxed);
                  },
                  [&] {
                    m.lock();
                    while (done.load(relaxed) == 0) {
                      m.unlock();
                      m.lock();
                    }
                    m.unlock();
                  });
            }),
            violation::none);
}

TEST(polling, under_load_buffering_is_not_verified_unseen) {
  options o;
  o.model = memory_model::xc20;
  o.max_events = 60;
  const result r = check(o, [] {
    mutex m;
    integer x{0}, y{0}, done{0};
    int seen[2] = {};
    concurrently(
        [&] {
          seen[0] = x.load(relaxed);
          y.store(1, relaxed);
          const std::lock_guard lock(m);
          done.store(1, relaxed);
        },
        [&] {
          seen[1] = y.load(relaxed);
          x.store(1, relaxed);
          by_polling::until(under(m, [&] { return done.load(relaxed) == 1; }));
        });
    require(seen[0] + seen[1] != 2, "both have read what the other one wrote later");
  });
  EXPECT_NE(r.outcome, verdict::verified) << to_text(r);
}

}  // namespace
}  // namespace fencepost::verify::testing
