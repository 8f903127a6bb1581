// A latch with one waiter, which may sleep, and any thread as setter: four states.
//
//            get_sleepy()        fall_asleep()
//     unset -------------> sleepy -------------> sleeping
//      | ^                   |                    |   |
//      | +-------------------|---- wake_up() -----+   |
//      |                     |                        |
//      +---- set() ----------+--------- set() --------+----> set
//
// The waiter announces that it is about to sleep (sleepy), acquires the lock that it sleeps under,
// and commits itself (sleeping). The setter learns whether the waiter had committed itself, and so
// whether it must be woken: worker_sleep.hpp does that. If set() comes first, fall_asleep() fails.
// With the state `sleepy` the waiter needs the lock for the second transition only: between the two
// it may still search for work.
//
// Threads: one thread, the waiter, calls get_sleepy(), fall_asleep() and wake_up(); any thread
// calls set(), once; any thread calls probe().
//
// Claims (core_latch/…):
//   a waiter that falls asleep is woken; one whose latch is set stays awake set_is_never_missed
//   set() returns true if the waiter sleeps, and only then                  only_sleepers_are_woken
//   ... for each of two latches that a waiter sleeps on in turn             waits_twice
//   everything before set() happens before a probe() that returns true      set_publishes
//   the waiter may destroy the latch as soon as probe() returns true        destroyed_when_set
//   get_sleepy() and fall_asleep() fail only if the latch is set            fails_only_when_set
//
// Progress: every operation is wait-free. Costs: probe(), a load; each of the others, one locked
// instruction. Four bytes.
// Source: Blitz's CoreLatch (BLITZ-17 to 21), which is Rayon's.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

// All transitions are read-modify-writes of one location, so each observes the one before it; the
// compare-exchanges are strong, because a failure must mean that the latch is set.
template <class P = default_atomics>
class core_latch {
 public:
  core_latch() = default;
  core_latch(const core_latch&) = delete;
  core_latch& operator=(const core_latch&) = delete;

  // Any thread. Whether the latch is set. For any threads X and Y: everything sequenced before X's
  // set() happens before a probe() of Y that returns true.
  bool probe() const noexcept {
    // [probe] acquire, with [set]: everything before set() is visible.
    return state_.load(std::memory_order_acquire) == set_state;
  }

  // Any thread, once. Sets the latch; returns true if the waiter has committed itself to sleep and
  // must be woken. The latch may have been destroyed when this returns: do not access it again.
  [[nodiscard]] bool set() noexcept {
    // [set] release, with [probe], [move]: publishes what precedes it. No acquire: the waker
    // observes what the waiter did through the lock that the waiter sleeps under.
    return state_.exchange(set_state, std::memory_order_release) == sleeping_state;
  }

  // Waiter, awake. Announces that it is about to sleep; false if the latch is set.
  [[nodiscard]] bool get_sleepy() noexcept { return move(unset_state, sleepy_state); }
  // Waiter, after get_sleepy() and under the lock that it sleeps under. False if the latch is set.
  [[nodiscard]] bool fall_asleep() noexcept { return move(sleepy_state, sleeping_state); }
  // Waiter, after fall_asleep(), when it is awake again, for whatever reason. A set latch stays
  // set.
  void wake_up() noexcept { move(sleeping_state, unset_state); }

 private:
  static constexpr std::uint32_t unset_state = 0, sleepy_state = 1, sleeping_state = 2,
                                 set_state = 3;

  // False if the latch is set. The assertion loads nothing: a load would add ordering to what is
  // checked.
  bool move(std::uint32_t from, std::uint32_t to) noexcept {
    // [move] relaxed, relaxed on failure, with [set]: no data but the state itself is read after
    // it.
    const bool moved = state_.compare_exchange_strong(from, to, std::memory_order_relaxed,
                                                      std::memory_order_relaxed);
    assert(moved || from == set_state);
    return moved;
  }

  typename P::template atomic<std::uint32_t> state_{unset_state};
};

}  // namespace fencepost
