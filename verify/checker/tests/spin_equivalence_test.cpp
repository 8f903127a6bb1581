// A loop that waits is explored as if it read once, and the right value: each program is written
// with spin_pause(), and with one load that gives up the execution if it reads something else.
// Outcomes and numbers of executions are equal, under each model and whichever threads go first.
#include <numeric>

#include "programs.hpp"
#include "ways_to_wait.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

// The same, but each turn has another load as well: not the simplest of loops.
struct by_spinning_on_two {
  template <class Wanted>
  static int wait(const integer& x, std::memory_order order, Wanted wanted) {
    integer own{1};
    for (;;) {
      const int seen = own.load(relaxed) == 1 ? x.load(order) : 0;
      if (wanted(seen)) return seen;
      checked::spin_pause();
    }
  }
};

constexpr auto at_least = [](int n) { return [n](int seen) { return seen >= n; }; };
constexpr auto exactly = [](int n) { return [n](int seen) { return seen == n; }; };

template <class By>
struct programs {
  static void message() {
    integer data{0}, ready{0};
    int seen = -1;
    concurrently(
        [&] {
          data.store(1, relaxed);
          ready.store(1, release);
          data.store(2, relaxed);
        },
        [&] {
          By::wait(ready, acquire, exactly(1));
          seen = data.load(relaxed);
        });
    outcome(seen);
  }
  static void relaxed_message() {
    integer data{0}, ready{0};
    int seen = -1;
    concurrently(
        [&] {
          data.store(1, relaxed);
          ready.store(1, relaxed);
        },
        [&] {
          By::wait(ready, relaxed, exactly(1));
          seen = data.load(relaxed);
        });
    outcome(seen);
  }
  static void which_write_ended_it() {
    integer x{0};
    int seen[2] = {};
    in_threads(4, [&](unsigned i) {
      if (i < 2)
        x.store(static_cast<int>(i) + 1, relaxed);
      else
        seen[i - 2] = By::wait(x, relaxed, at_least(1));
    });
    outcome(seen[0], seen[1], x.load(relaxed));
  }
  static void two_waits_in_sequence() {
    integer x{0}, y{0};
    int seen[3] = {};
    concurrently(
        [&] {
          x.store(1, relaxed);
          x.store(2, relaxed);
        },
        [&] { y.store(1, relaxed); },
        [&] {
          seen[0] = By::wait(x, relaxed, at_least(1));
          By::wait(y, relaxed, exactly(1));
          seen[1] = By::wait(x, relaxed, at_least(1));
          seen[2] = y.load(relaxed);
        });
    outcome(seen[0], seen[1], seen[2]);
  }
  static void hand_shake() {
    integer a{0}, b{0}, data{0};
    int seen = -1, last = -1;
    concurrently(
        [&] {
          data.store(1, relaxed);
          a.store(1, release);
          By::wait(b, acquire, exactly(1));
          last = data.load(relaxed);
        },
        [&] {
          By::wait(a, acquire, exactly(1));
          seen = data.load(relaxed);
          data.store(2, relaxed);
          b.store(1, release);
        },
        [&] { data.store(3, relaxed); });
    outcome(seen, last);
  }
  static void ticket_lock() {
    integer next{0}, serving{0};
    int order[3] = {};
    in_threads(3, [&](unsigned i) {
      const int mine = next.fetch_add(1, relaxed);
      By::wait(serving, acquire, exactly(mine));
      order[i] = mine;
      serving.store(mine + 1, release);
    });
    outcome(order[0], order[1], order[2]);
  }
  static void counter_of_arrivals() {
    integer arrived{0}, x{0};
    int seen[3] = {};
    in_threads(3, [&](unsigned i) {
      x.store(static_cast<int>(i) + 1, relaxed);
      arrived.fetch_add(1, acq_rel);
      By::wait(arrived, acquire, exactly(3));
      seen[i] = x.load(relaxed);
    });
    outcome(seen[0], seen[1], seen[2]);
  }
  static void store_buffering_behind_a_wait() {
    integer go{0}, x{0}, y{0};
    int a = -1, b = -1;
    concurrently([&] { go.store(1, relaxed); },
                 [&] {
                   x.store(1, seq_cst);
                   By::wait(go, seq_cst, exactly(1));
                   a = y.load(seq_cst);
                 },
                 [&] {
                   y.store(1, seq_cst);
                   b = x.load(seq_cst);
                   go.fetch_add(0, relaxed);
                 });
    outcome(a, b);
  }
  static void fences_around_a_wait() {
    integer x{0}, y{0};
    int a = -1;
    concurrently(
        [&] {
          x.store(1, relaxed);
          checked::fence(seq_cst);
          a = By::wait(y, relaxed, at_least(0));
        },
        [&] {
          y.store(1, relaxed);
          checked::fence(seq_cst);
          By::wait(x, relaxed, exactly(1));
        });
    outcome(a);
  }
  static void signal_that_may_be_missed() {
    // The waiter may miss the 1, and then waits for the 3.
    integer x{0}, y{0};
    int seen = -1;
    concurrently(
        [&] {
          x.store(1, relaxed);
          x.store(2, relaxed);
          x.store(3, relaxed);
        },
        [&] {
          seen = By::wait(x, relaxed, [](int v) { return v % 2 == 1; });
          y.store(1, relaxed);
        },
        [&] { static_cast<void>(y.load(relaxed)); });
    outcome(seen);
  }
  static void read_modify_writes_beside_it() {
    integer x{0};
    int seen = -1;
    concurrently([&] { x.fetch_add(1, relaxed); }, [&] { x.fetch_add(2, relaxed); },
                 [&] {
                   seen = By::wait(x, relaxed, at_least(1));
                   x.fetch_add(4, relaxed);
                 });
    outcome(seen, x.load(relaxed));
  }
  static void writer_that_waits_itself() {
    integer a{0}, b{0}, c{0};
    concurrently(
        [&] {
          By::wait(a, relaxed, exactly(1));
          b.store(1, relaxed);
        },
        [&] {
          By::wait(b, relaxed, exactly(1));
          c.store(1, relaxed);
        },
        [&] {
          a.store(1, relaxed);
          b.store(1, relaxed);
        });
    outcome(c.load(relaxed));
  }
  static void main_thread_waits() {
    integer x{0};
    checked::thread t([&] {
      x.store(1, relaxed);
      x.store(2, release);
    });
    const int seen = By::wait(x, acquire, at_least(1));
    const int then = x.load(relaxed);
    t.join();
    outcome(seen, then);
  }
};

struct program {
  const char* name;
  void (*spinning)();
  void (*on_two)();
  void (*giving_up)();
};

#define PROGRAM(name)                                                               \
  {                                                                                 \
#name, &programs < by_spinning> ::name, &programs < by_spinning_on_two> ::name, \
        &programs < by_giving_up> ::name                                            \
  }

const program all_programs[] = {
    PROGRAM(message),
    PROGRAM(relaxed_message),
    PROGRAM(which_write_ended_it),
    PROGRAM(two_waits_in_sequence),
    PROGRAM(hand_shake),
    PROGRAM(ticket_lock),
    PROGRAM(counter_of_arrivals),
    PROGRAM(store_buffering_behind_a_wait),
    PROGRAM(fences_around_a_wait),
    PROGRAM(signal_that_may_be_missed),
    PROGRAM(read_modify_writes_beside_it),
    PROGRAM(writer_that_waits_itself),
    PROGRAM(main_thread_waits),
};

class spinning_is_waiting : public ::testing::TestWithParam<program> {};

INSTANTIATE_TEST_SUITE_P(all, spinning_is_waiting, ::testing::ValuesIn(all_programs),
                         [](const auto& p) { return std::string(p.param.name); });

TEST_P(spinning_is_waiting, under_each_model_and_priority) {
  for (const memory_model m : all_models) {
    const result expected = check(under(m), GetParam().giving_up);
    ASSERT_EQ(expected.outcome, verdict::verified) << to_text(expected);
    std::vector<unsigned> priorities(5);
    std::iota(priorities.begin(), priorities.end(), 0U);
    do {
      std::string which = std::string(to_string(m)) + ", priorities";
      for (const unsigned t : priorities) which += " " + std::to_string(t);
      options o = under(m);
      o.priorities = priorities;
      const result r = check(o, GetParam().spinning);
      ASSERT_EQ(r.outcome, verdict::verified) << which << "\n" << to_text(r);
      EXPECT_EQ(r.executions, expected.executions) << which;
      EXPECT_EQ(r.outcomes, expected.outcomes) << which;
      const result on_two = check(o, GetParam().on_two);
      ASSERT_EQ(on_two.outcome, verdict::verified) << which << "\n" << to_text(on_two);
      EXPECT_EQ(outcomes_of(on_two), outcomes_of(expected)) << which;
      if (HasFailure()) return;
    } while (std::next_permutation(priorities.begin(), priorities.end()));
  }
}

// Violations are found, too: one in a thread while another thread waits.
TEST(spinning_threads, do_not_hide_violations) {
  EXPECT_EQ(found_in([] {
              integer x{0}, y{0};
              concurrently(
                  [&] {
                    by_spinning::wait(x, relaxed, exactly(1));
                    y.store(1, relaxed);
                  },
                  [&] {
                    x.store(1, relaxed);
                    require(y.load(relaxed) == 0, "nobody was so fast");
                  });
            }),
            violation::assertion);
  EXPECT_EQ(found_in([] {
              checked::plain<int> data{0};
              integer x{0};
              concurrently(
                  [&] {
                    by_spinning::wait(x, relaxed, exactly(1));
                    static_cast<void>(data.get());
                  },
                  [&] {
                    data.set(1);
                    x.store(1, release);
                  });
            }),
            violation::data_race)
      << "the last read of the loop is relaxed";
}

// A read in an earlier turn synchronizes although its value was not the wanted one.
TEST(spinning_threads, have_seen_what_earlier_turns_acquired) {
  EXPECT_EQ(found_in([] {
              checked::plain<int> data{0};
              integer x{0};
              int first = 0;
              concurrently(
                  [&] {
                    for (;;) {
                      const int seen = x.load(acquire);
                      if (seen == 1) first = 1;
                      if (seen == 2) break;
                      checked::spin_pause();
                    }
                    if (first == 1) require(data.get() == 1, "acquired a turn ago");
                  },
                  [&] {
                    data.set(1);
                    x.store(1, release);
                    x.store(2, relaxed);
                  });
            }),
            violation::none);
}

}  // namespace
}  // namespace fencepost::verify::testing
