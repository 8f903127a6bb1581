// The locks of docs/guide/peterson.md: each wrong one is found wrong in the way that the page says,
// and each right one is verified.
#include "peterson.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "fencepost/verify/gtest.hpp"

namespace {

using namespace fencepost;
using namespace peterson;

// [tests]
TEST(peterson, acquire_and_release_do_not_exclude) { EXPECT_SCENARIO(first_excludes); }
TEST(peterson, nor_do_strong_stores_and_weak_loads) { EXPECT_SCENARIO(second_excludes); }
TEST(peterson, nor_does_saying_whose_turn_it_is_first) { EXPECT_SCENARIO(third_excludes); }
TEST(peterson, who_forgets_to_leave_keeps_the_other_out) { EXPECT_SCENARIO(who_forgets_to_leave); }
TEST(peterson, excludes) { EXPECT_SCENARIO(fourth_excludes); }
TEST(peterson, with_an_exchange_excludes) { EXPECT_SCENARIO(exchange_excludes); }
// [tests]

// Each order that could be weaker, one at a time.
// [needed]
using checked = checked_atomics;

template <class Lock>
void two_increments() {
  both_increments_count<Lock, checked, 2> run;
  checked::thread other([&] { run.thread(1); });
  run.thread(0);
  other.join();
  run.after();
}

using std::memory_order_acq_rel, std::memory_order_acquire, std::memory_order_relaxed,
    std::memory_order_release, std::memory_order_seq_cst;

TEST(peterson, each_order_is_needed) {
  const auto weak_look = two_increments<fourth_lock<checked, memory_order_acquire>>;
  const auto weak_leave =
      two_increments<fourth_lock<checked, memory_order_seq_cst, memory_order_relaxed>>;
  EXPECT_VIOLATED(violation::data_race, weak_look);
  EXPECT_VIOLATED(violation::data_race, weak_leave);
}

TEST(peterson, each_order_of_the_one_with_an_exchange_is_needed) {
  const auto release_turn = two_increments<exchange_lock<checked, memory_order_release>>;
  const auto acquire_turn = two_increments<exchange_lock<checked, memory_order_acquire>>;
  const auto relaxed_look =
      two_increments<exchange_lock<checked, memory_order_acq_rel, memory_order_relaxed>>;
  const auto relaxed_leave = two_increments<
      exchange_lock<checked, memory_order_acq_rel, memory_order_acquire, memory_order_relaxed>>;
  EXPECT_VIOLATED(violation::data_race, release_turn);
  EXPECT_VIOLATED(violation::data_race, acquire_turn);
  EXPECT_VIOLATED(violation::data_race, relaxed_look);
  EXPECT_VIOLATED(violation::data_race, relaxed_leave);
}
// [needed]

// The same templates with the default policy, on real threads.
template <class Lock>
int after_two_thousand_increments() {
  both_increments_count<Lock, default_atomics, 1000> run;
  std::thread other([&] { run.thread(1); });
  run.thread(0);
  other.join();
  return run.counter.get();
}

TEST(on_threads, no_increment_is_lost) {
  EXPECT_EQ(after_two_thousand_increments<fourth_lock<>>(), 2000);
  EXPECT_EQ(after_two_thousand_increments<exchange_lock<>>(), 2000);
}

}  // namespace
