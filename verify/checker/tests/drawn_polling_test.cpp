// Random programs that poll under a mutex, or change something in each turn and change it back,
// beside the same with a bounded number of turns.
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

struct drawing {
  bool tries = false;  // the locks, too
  bool both = false;   // the third thread polls as well
};

// A thread polls for what another one sets last; these two and a third one access locations, with
// and without the mutexes.
template <class By, class Lock = mutex>
void drawn_program(unsigned seed, drawing how = {}) {
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
      if constexpr (!std::is_same_v<Lock, as_reader> && !std::is_same_v<Lock, relaxed_lock>) {
        if (how.tries && d.number(3) == 0) {
          Lock& tried = m[d.number(2)];
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
      [&] {
        if (how.both) By::until(under(m[polled], [&] { return done.load(relaxed) == 1; }));
        accesses(2, how.both ? 1 : 2);
      });
  outcome(seen[0], seen[1], seen[2], x[0].load(relaxed), x[1].load(relaxed));
}

// A thread changes one or two numbers in each turn, and changes them back; two others change them
// and, where it is so, read them as well.
template <class By>
void drawn_changes(unsigned seed, bool read) {
  integer x[2] = {{0}, {0}}, y{0}, done{0};
  int seen[3] = {};
  const auto any = [](drawn& d) {
    constexpr std::memory_order orders[] = {relaxed, acq_rel, seq_cst};
    return orders[d.number(3)];
  };
  const auto access = [&](drawn& d, int& saw) {
    integer& at = x[d.number(2)];
    int expected = d.number(2);
    switch (d.number(read ? 7 : 5)) {
      case 0: saw = saw * 10 + y.load(d.number(2) == 0 ? relaxed : acquire); break;
      case 1: y.store(1 + d.number(2), d.number(2) == 0 ? relaxed : release); break;
      case 2: saw = saw * 10 + at.exchange(2, any(d)); break;
      case 3: at.store(2, relaxed); break;
      case 5: saw = saw * 10 + at.load(acquire); break;
      case 6: saw = saw * 10 + at.compare_exchange_strong(expected, 2, any(d), relaxed); break;
      default: saw = saw * 10 + at.fetch_add(2, any(d)); break;
    }
  };
  const auto accesses = [&](unsigned thread, int most) {
    drawn d(seed * 8 + thread);
    for (int n = d.number(most + 1); n > 0; --n) access(d, seen[thread]);
  };
  concurrently(
      [&] {
        accesses(0, 2);
        done.store(1, release);
      },
      [&] {
        drawn d(seed * 8 + 7);
        const int first = d.number(2), number = d.number(4), place = d.number(3);
        const std::memory_order up = any(d), down = any(d);
        if (d.number(2) == 0) y.store(3, relaxed);
        By::until([&] {
          bool over = place == 0 && done.load(acquire) == 1;
          x[first].fetch_add(1, up);
          if (number == 1) x[1 - first].fetch_add(1, down);
          if (number == 2) x[first].fetch_add(1, down);
          over = over || (place == 1 && done.load(acquire) == 1);
          if (number == 1) x[1 - first].fetch_sub(1, up);
          x[first].fetch_sub(number == 2 ? 2 : 1, down);
          return over || (place == 2 && done.load(acquire) == 1);
        });
        accesses(1, 1);
      },
      [&] { accesses(2, 1); });
  outcome(seen[0], seen[1], seen[2], x[0].load(relaxed), x[1].load(relaxed));
}

// A thread sets data in one critical section of each turn, and restores it in another; two others
// look at the data.
template <class By, class Lock>
void drawn_data(unsigned seed) {
  Lock m[2];
  checked::plain<int> says{0};
  integer x{0}, done{0};
  int seen[3] = {};
  drawn of_all(seed);
  const int sections = of_all.number(3), fenced = of_all.number(3);
  const auto looks = [&](unsigned thread, int most) {
    drawn d(seed * 8 + thread);
    for (int n = d.number(most + 1); n > 0; --n) {
      switch (d.number(4)) {
        case 0: x.store(1 + d.number(2), relaxed); break;
        case 1: seen[thread] = seen[thread] * 10 + x.load(relaxed); break;
        default: {
          const std::lock_guard lock(m[0]);
          seen[thread] = seen[thread] * 10 + says.get() + 3;
          if (d.number(3) == 0) seen[thread] = seen[thread] * 10 + x.load(relaxed);
        }
      }
    }
  };
  concurrently(
      [&] {
        looks(0, 3);
        const std::lock_guard lock(m[0]);
        done.store(1, relaxed);
      },
      [&] {
        By::until([&] {
          under(m[0], [&] { says.set(1); })();
          if (sections == 1) {
            const std::lock_guard lock(m[1]);
          }
          if (fenced == 1) checked::fence(seq_cst);
          if (sections == 2) under(m[0], [&] { says.set(2); })();
          return under(m[0], [&] {
            says.set(0);
            return done.load(relaxed) == 1;
          })();
        });
        looks(1, 1);
      },
      [&] { looks(2, 1); });
  outcome(seen[0], seen[1], seen[2], x.load(relaxed));
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

// Returns how many are verified. Those have the outcomes of so many turns, and of one more.
template <int turns = 2, class Program>
unsigned verified_with_all_outcomes(unsigned programs, unsigned max_events, Program program) {
  options few;
  few.max_events = max_events;
  unsigned verified = 0;
  for (unsigned seed = 1; seed <= programs; ++seed) {
    const result is = check(few, [&] { program(by_polling{}, seed); });
    EXPECT_FALSE(is.violation) << seed;
    if (is.outcome != verdict::verified) continue;
    ++verified;
    const auto found = outcomes_of(is);
    EXPECT_EQ(found, outcomes_of({}, [&] { program(in_turns<turns>{}, seed); })) << seed;
    EXPECT_EQ(found, outcomes_of({}, [&] { program(in_turns<turns + 1>{}, seed); })) << seed;
  }
  return verified;
}
template <class Lock>
auto polls_under(drawing how = {}) {
  return [how](auto by, unsigned seed) { drawn_program<decltype(by), Lock>(seed, how); };
}

// A turn under a lock that synchronizes nothing stays where fences might synchronize through it.
TEST(polling, drawn_at_random_under_a_relaxed_lock_is_verified_only_with_all_outcomes) {
  const unsigned n = random_programs();
  EXPECT_GT(verified_with_all_outcomes(n, 60, polls_under<relaxed_lock>()), n / 2);
}
// These have many executions.
TEST(polling, drawn_at_random_under_a_shared_lock_is_verified_only_with_all_outcomes) {
  const unsigned n = random_programs() / 6;
  EXPECT_GE(verified_with_all_outcomes(n, 60, polls_under<as_reader>()), n / 2);
}
// Threads that try the mutex may notice the turns, of which there is then no end.
TEST(polling, drawn_at_random_beside_those_who_try_is_verified_only_with_all_outcomes) {
  const unsigned n = random_programs();
  EXPECT_GT(verified_with_all_outcomes(n, 60, polls_under<mutex>({.tries = true})), n / 10);
}
// So may those that try a lock which the program builds from an atomic.
TEST(polling, drawn_at_random_under_a_spinlock_is_verified_only_with_all_outcomes) {
  const unsigned n = random_programs(), few = n / 6;
  EXPECT_EQ(verified_with_all_outcomes(n, 600, polls_under<spinlock>()), n);
  EXPECT_EQ(verified_with_all_outcomes(few, 600, polls_under<tested_spinlock>()), few);
  EXPECT_GT(verified_with_all_outcomes(n, 600, polls_under<spinlock>({.tries = true})), n / 3);
}
TEST(polling, drawn_at_random_by_two_under_a_spinlock_is_verified_only_with_all_outcomes) {
  const unsigned few = random_programs() / 12;
  EXPECT_EQ(verified_with_all_outcomes(few, 600, polls_under<spinlock>({.both = true})), few);
}

// Two turns are not enough where another thread sees what several have changed.
TEST(polling, that_changes_data_and_changes_them_back_has_the_outcomes_of_any_number_of_turns) {
  const unsigned n = random_programs() / 20;
  const auto mutexes = [](auto by, unsigned seed) { drawn_data<decltype(by), mutex>(seed); };
  const auto spinlocks = [](auto by, unsigned seed) { drawn_data<decltype(by), spinlock>(seed); };
  EXPECT_EQ(verified_with_all_outcomes<3>(n, 600, mutexes), n);
  EXPECT_EQ(verified_with_all_outcomes<3>(n, 600, spinlocks), n);
}

// Each of the changes by others may come into the middle of a turn.
TEST(polling, that_changes_something_and_changes_it_back_is_verified_only_with_all_outcomes) {
  const unsigned n = random_programs(), few = n / 6;
  const auto changes = [](auto by, unsigned seed) { drawn_changes<decltype(by)>(seed, false); };
  const auto reads = [](auto by, unsigned seed) { drawn_changes<decltype(by)>(seed, true); };
  EXPECT_GT(verified_with_all_outcomes(n, 600, changes), n / 3);
  EXPECT_GT(verified_with_all_outcomes(few, 600, reads), few / 4);
}

}  // namespace
}  // namespace fencepost::verify::testing
