// Random programs that poll under a mutex, beside the same with a bounded number of turns.
#include <cstdlib>
#include <random>

#include "polling_loops.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using mutex = checked::mutex;

struct drawn {
  explicit drawn(unsigned seed) : random(seed) {}
  std::mt19937 random;
  int number(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }
};

// A reader's lock is sometimes taken by a writer.
template <class Lock, class Section>
void locked([[maybe_unused]] drawn& d, Lock& m, Section section) {
  if constexpr (std::is_same_v<Lock, as_reader>) {
    if (d.number(2) == 0) {
      const std::lock_guard lock(m.of());
      return section();
    }
  }
  const std::lock_guard lock(m);
  section();
}

// A thread polls for what another one sets last; these two and a third one access locations, with
// and without the mutexes.
template <class By, class Lock = mutex>
void drawn_program(unsigned seed, [[maybe_unused]] bool tries = false) {
  Lock m[2];
  integer x[2] = {{0}, {0}}, done{0};
  int seen[3] = {};
  drawn of_all(seed);
  const int polled = of_all.number(2);
  const bool by_two = of_all.number(3) == 0;
  const auto access = [&](drawn& d, int& saw) {
    integer& at = x[d.number(2)];
    const int value = 1 + d.number(2);
    switch (d.number(5)) {
      case 0: at.store(value, d.number(2) == 0 ? relaxed : release); break;
      case 1: at.fetch_add(1, relaxed); break;
      case 2:
        checked::fence(d.number(2) == 0 ? seq_cst : d.number(2) == 0 ? acquire : release);
        break;
      default: saw = saw * 10 + at.load(d.number(2) == 0 ? relaxed : acquire); break;
    }
  };
  const auto accesses = [&](unsigned thread, int most) {
    drawn d(seed * 8 + thread);
    for (int n = d.number(most + 1); n > 0; --n) {
      if constexpr (std::is_same_v<Lock, mutex>) {
        if (tries && d.number(3) == 0) {
          mutex& tried = m[d.number(2)];
          const bool free = tried.try_lock();
          seen[thread] = seen[thread] * 10 + (free ? 7 : 8);
          if (free) tried.unlock();
          continue;
        }
      }
      if (d.number(2) == 0) {
        locked(d, m[d.number(2)], [&] {
          access(d, seen[thread]);
          if (d.number(2) == 0) access(d, seen[thread]);
        });
      } else {
        access(d, seen[thread]);
      }
    }
  };
  concurrently(
      [&] {
        accesses(0, 3);
        drawn d(seed * 8 + 6);
        locked(d, m[polled], [&] { done.store(1, relaxed); });
      },
      [&] {
        drawn d(seed * 8 + 7);
        const int fenced = d.number(4);
        access(d, seen[1]);
        By::until([&] {
          if (fenced == 0) checked::fence(seq_cst);
          if (by_two) const std::lock_guard other(m[1 - polled]);
          return under(m[polled], [&] {
            if (fenced == 1) checked::fence(acq_rel);
            return done.load(relaxed) == 1;
          })();
        });
        accesses(1, 2);
      },
      [&] { accesses(2, 2); });
  outcome(seen[0], seen[1], seen[2], x[0].load(relaxed), x[1].load(relaxed));
}

// Returns 60, or FENCEPOST_RANDOM_PROGRAMS.
unsigned random_programs() {
  const char* const number = std::getenv("FENCEPOST_RANDOM_PROGRAMS");
  return number == nullptr ? 60 : static_cast<unsigned>(std::strtoul(number, nullptr, 10));
}

TEST(polling, drawn_at_random_has_the_outcomes_of_any_number_of_turns) {
  for (unsigned seed = 1; seed <= random_programs(); ++seed) {
    const auto found = outcomes_of({}, [&] { drawn_program<by_polling>(seed); });
    ASSERT_EQ(found, outcomes_of({}, [&] { drawn_program<in_turns<2>>(seed); })) << seed;
  }
}

// Those that are verified, at least so many, have the outcomes of two and of three turns.
template <class Lock>
void are_verified_only_with_all_outcomes(unsigned programs, unsigned least) {
  options few;
  few.max_events = 60;
  unsigned verified = 0;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const result is = check(few, [&] { drawn_program<by_polling, Lock>(seed); });
    ASSERT_FALSE(is.violation) << seed;
    if (is.outcome != verdict::verified) continue;
    ++verified;
    const auto found = outcomes_of(is);
    ASSERT_EQ(found, outcomes_of({}, [&] { drawn_program<in_turns<2>, Lock>(seed); })) << seed;
    ASSERT_EQ(found, outcomes_of({}, [&] { drawn_program<in_turns<3>, Lock>(seed); })) << seed;
  }
  EXPECT_GE(verified, least);
}
// A turn under a lock that synchronizes nothing stays where fences might synchronize through it.
TEST(polling, drawn_at_random_under_a_relaxed_lock_is_verified_only_with_all_outcomes) {
  are_verified_only_with_all_outcomes<relaxed_lock>(random_programs(), random_programs() / 2 + 1);
}
// These have many executions.
TEST(polling, drawn_at_random_under_a_shared_lock_is_verified_only_with_all_outcomes) {
  const unsigned programs = random_programs() / 6;
  are_verified_only_with_all_outcomes<as_reader>(programs, programs / 2);
}

// Threads that try the mutex may notice the turns, of which there is then no end.
TEST(polling, drawn_at_random_beside_those_who_try_is_verified_only_with_all_outcomes) {
  options few;
  few.max_events = 60;
  unsigned verified = 0;
  for (unsigned seed = 1; seed <= random_programs(); ++seed) {
    const result is = check(few, [&] { drawn_program<by_polling>(seed, true); });
    ASSERT_FALSE(is.violation) << seed;
    if (is.outcome != verdict::verified) continue;
    ++verified;
    const auto found = outcomes_of(is);
    ASSERT_EQ(found, outcomes_of({}, [&] { drawn_program<in_turns<2>>(seed, true); })) << seed;
    ASSERT_EQ(found, outcomes_of({}, [&] { drawn_program<in_turns<3>>(seed, true); })) << seed;
  }
  EXPECT_GT(verified, random_programs() / 10);
}

}  // namespace
}  // namespace fencepost::verify::testing
