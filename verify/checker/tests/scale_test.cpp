// Long executions: no number of the engine wraps, and no run takes time quadratic in its length.
// The sizes are such that an engine that is quadratic somewhere exceeds the test's time-out by far.
#include <cstdint>
#include <cstdlib>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

// Runs the threads one after the other.
template <class Body>
void in_turn(unsigned threads, const Body& body) {
  for (unsigned i = 0; i < threads; ++i) {
    checked::thread one([&body, i] { body(i); });
    one.join();
  }
}

options long_ones() {
  options o;
  o.max_events = 60'000;
  return o;
}

// Pauses count as being in a row only if no event is between them, also where events are replayed.
TEST(scale, pauses_between_events_are_no_limit) {
  const result r = check(long_ones(), [] {
    integer turns{0}, x{0};
    checked::thread other([&] { x.store(1, relaxed); });
    static_cast<void>(x.load(relaxed));
    for (int i = 0; i < 10'001; ++i) {
      turns.store(i, relaxed);
      checked::spin_pause();
    }
    other.join();
    static_cast<void>(x.load(relaxed));
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 2U);
}

// Around 2^16 writes to one location.
TEST(scale, positions_in_modification_order_do_not_wrap) {
  constexpr int each = 9'990;
  for (const int threads : {6, 7, 8}) {
    const auto body = [threads](bool wrong) {
      return [threads, wrong] {
        integer x{0};
        in_turn(static_cast<unsigned>(threads), [&](unsigned) {
          for (int i = 0; i < each; ++i) x.fetch_add(1, relaxed);
        });
        require((x.load(relaxed) == threads * each) != wrong, "the last write is read");
      };
    };
    const result right = check({}, body(false)), wrong = check({}, body(true));
    EXPECT_EQ(right.outcome, verdict::verified) << to_text(right);
    EXPECT_EQ(right.executions, 1U);
    EXPECT_EQ(found(wrong), violation::assertion) << threads << " threads";
  }
}

TEST(scale, seventy_thousand_stores_to_one_location) {
  const auto body = [] {
    integer x{0};
    in_turn(7, [&](unsigned t) {
      for (int i = 1; i <= 10'000; ++i) x.store(static_cast<int>(t) * 10'000 + i, relaxed);
    });
    integer late{0};
    concurrently([&] { late.store(x.load(relaxed), relaxed); },
                 [&] {
                   x.store(-1, relaxed);
                   x.store(-2, relaxed);
                 });
    outcome(late.load(relaxed));
  };
  const result r = check(long_ones(), body);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(outcomes_of(r), (std::set<std::string>{"70000", "-1", "-2"}));
  EXPECT_EQ(r.executions, 3U);
}

// A word whose halves are each stored to 65,535 times, in threads of their own, and another thread
// that stores the whole word: there are 2^32 positions for that store.
void many_halves() {
  checked::halves w(0, 0);
  const auto often = [](auto&& store) {
    in_turn(2, [&](unsigned t) {
      for (unsigned i = 0; i < 32'768 - t; ++i) store(i);
    });
  };
  concurrently([&] { often([&](unsigned i) { w.store_low(i, relaxed); }); },
               [&] { often([&](unsigned i) { w.store_high(i, relaxed); }); },
               [&] { w.store(7, relaxed); });
}

TEST(scale, the_number_of_places_of_a_word_does_not_wrap) {
  options o = long_ones();
  o.priorities = {0, 1, 2, 4, 5, 6, 7, 3};  // the store of the whole word comes last
  o.max_executions = 2;
  const result r = check(o, many_halves);
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_EQ(r.limit, "max_executions");
}

TEST(scale, drawing_one_of_many_places_takes_no_room) {
  options o = long_ones();
  o.samples = 2;
  const result r = check(o, many_halves);
  EXPECT_EQ(r.limit, "samples") << to_text(r);
  EXPECT_EQ(r.executions, 2U);
}

// Two threads hand a token to each other.
void hand_over(int times) {
  integer turn{0};
  in_threads(2, [&](unsigned t) {
    for (int i = static_cast<int>(t); i < times; i += 2) {
      while (turn.load(acquire) != i) checked::spin_pause();  // pairs with the release below
      turn.store(i + 1, release);                             // pairs with the acquire above
    }
  });
  require(turn.load(relaxed) == times, "the token was handed over as often as it should be");
}

// Returns 5,000, or FENCEPOST_HAND_OVERS, which is set at night. Each hand-over is replayed as
// often as the token is handed over after it.
int hand_overs() {
  const char* const number = std::getenv("FENCEPOST_HAND_OVERS");
  return number == nullptr ? 5'000 : std::atoi(number);
}

TEST(scale, a_token_is_handed_over_thousands_of_times) {
  const result few = check({}, [] { hand_over(20); });
  EXPECT_EQ(few.outcome, verdict::verified) << to_text(few);
  const int times = hand_overs();
  const result r = check(long_ones(), [times] { hand_over(times); });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, few.executions);
}

// Store buffering behind many sequentially consistent events.
TEST(scale, ten_thousand_sequentially_consistent_events) {
  for (const memory_model m : all_models) {
    options o = under(m);
    o.max_events = 60'000;
    const auto body = [](int each) {
      return [each] {
        integer x{0}, y{0};
        int a = 0, b = 0;
        concurrently(
            [&] {
              integer own{0};
              for (int i = 0; i < each; ++i) own.store(i, seq_cst);
              x.store(1, seq_cst);
              a = y.load(seq_cst);
            },
            [&] {
              integer own{0};
              for (int i = 0; i < each; ++i) own.fetch_add(1, seq_cst);
              y.store(1, seq_cst);
              b = x.load(seq_cst);
            });
        outcome(a, b);
      };
    };
    // One event more or less around each size at which the explorer changes its search for cycles.
    for (const int each : {1, 28, 29, 30, 31, 124, 125, 126, 127, 2'045, 2'046, 5'000}) {
      const result r = check(o, body(each));
      EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
      EXPECT_EQ(outcomes_of(r), (std::set<std::string>{"0, 1", "1, 0", "1, 1"})) << each;
      EXPECT_EQ(r.executions, 3U) << each;
    }
  }
}

}  // namespace
}  // namespace fencepost::verify::testing
