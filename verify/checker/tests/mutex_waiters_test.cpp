// Waiters for a lock that are displaced by a lock() that comes before theirs: no execution is lost
// or explored twice, and no run is in vain.
#include <cstdlib>

#include "locked_programs.hpp"
#include "parts.hpp"
#include "programs.hpp"
#include "resumed.hpp"

namespace fencepost::verify::testing {
namespace {

TEST(locks, have_the_executions_of_locks_that_are_guessed) {
  for (const known_program& p : programs_of_locks()) EXPECT_EQ(wrong_locks(p), "");
}

// Returns 250, or FENCEPOST_RANDOM_PROGRAMS.
unsigned random_programs() {
  const char* const number = std::getenv("FENCEPOST_RANDOM_PROGRAMS");
  return number == nullptr ? 250 : static_cast<unsigned>(std::strtoul(number, nullptr, 10));
}

TEST(locks, drawn_at_random_have_the_executions_of_locks_that_are_guessed) {
  for (unsigned seed = 0; seed < random_programs(); ++seed) {
    ASSERT_EQ(wrong_locks(random_locks(seed)), "");
  }
}

TEST(locks, whose_word_others_look_at_and_share_have_the_executions_of_locks_that_are_guessed) {
  for (unsigned seed = 0; seed < random_programs(); ++seed) {
    ASSERT_EQ(wrong_locks(random_shared_locks(seed)), "");
  }
}

TEST(locks, have_the_same_executions_in_parts_and_within_bounds_and_from_resume_points) {
  for (const known_program& p : programs_of_locks()) {
    EXPECT_EQ(wrong_in_parts(p, 3, 1), "");
    EXPECT_EQ(wrong_within_bounds(p), "");
    EXPECT_EQ(difference(p), "");
  }
}

TEST(locks, are_judged_right_by_the_axioms) {
  for (known_program p : programs_of_locks()) {
    p.bounds.recheck = true;
    const result r = check(p.bounds, p.body);
    EXPECT_EQ(r.recheck->rejected, 0U) << p.name << ": " << r.recheck->why;
    EXPECT_EQ(r.recheck->confirmed, r.executions) << p.name;
  }
}

TEST(locks, are_waited_for_without_a_blocked_run) {
  for (unsigned threads = 2; threads <= 5; ++threads) {
    const result r = check({}, [threads] {
      checked::mutex m;
      in_threads(threads, [&](unsigned) { const std::lock_guard lock(m); });
    });
    EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
    EXPECT_EQ(r.blocked, 0U) << threads;
  }
}

// Whichever thread is explored first, they end up with one lock each.
TEST(locks, that_are_taken_in_two_orders_are_a_deadlock) {
  EXPECT_EQ(found_in_every_order([] {
              checked::mutex a, b;
              checked::atomic<int> known{0};
              concurrently(
                  [&] {
                    const std::lock_guard first(a);
                    known.store(1, relaxed);
                    const std::lock_guard second(b);
                  },
                  [&] {
                    const std::lock_guard first(b);
                    if (known.load(relaxed) == 0) const std::lock_guard second(a);
                  },
                  [&] { const std::lock_guard only(a); });
            }),
            violation::liveness);
}

// One of three threads keeps the lock, and nobody destroys it.
TEST(locks, that_are_never_given_back_are_waited_for_forever) {
  options o;
  o.check_leaks = false;
  EXPECT_EQ(found_in_every_order(
                [] {
                  auto& m = *new checked::mutex;
                  in_threads(3, [&](unsigned i) {
                    m.lock();
                    if (i != 1) m.unlock();
                  });
                },
                o),
            violation::liveness);
}

}  // namespace
}  // namespace fencepost::verify::testing
