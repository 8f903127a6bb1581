// A latch that one thread waits for, asleep if need be, and any thread sets: four states.
//
//            get_sleepy()        fall_asleep()
//     unset -------------> sleepy -------------> sleeping
//      | ^                   |                    |   |
//      | +-------------------|---- wake_up() -----+   |
//      |                     |                        |
//      +---- set() ----------+--------- set() --------+----> set
//
// The waiter announces that it is about to sleep (sleepy), takes whatever lock it sleeps under, and
// commits itself (sleeping). Whoever sets the latch learns whether the waiter had committed itself,
// and so whether it must be woken: worker_sleep.hpp does that. A setter that comes before makes
// fall_asleep() fail. The state `sleepy` lets the waiter find that out under its lock only: between
// the two steps it may still be looking for work.
//
// Who may call: one thread, the waiter, calls get_sleepy(), fall_asleep() and wake_up(); any
// thread calls set(), once; any thread calls probe().
//
// Claims (core_latch/…):
//   a waiter that falls asleep is woken; one that was set before does not   set_is_never_missed
//   set() says true only of a waiter that sleeps                            only_sleepers_are_woken
//   ... and so for each of two latches that a waiter sleeps on in turn      waits_twice
//   what the setter did before set() is visible after probe() said true     set_publishes
//   the waiter may destroy the latch as soon as probe() has said true       destroyed_when_set
//   get_sleepy() and fall_asleep() fail only because the latch is set       fails_only_when_set
//
// Progress: every operation is wait-free. Costs: probe(), a load; each of the others, one locked
// instruction. Four bytes.
// Source: Blitz's CoreLatch (BLITZ-17 to 21), which is that of Rayon.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

// All changes of the state are read-modify-writes of one location, so each step knows the one
// before; the exchanges are strong, for a failure means that the latch is set, and nothing else.
template <class P = default_atomics>
class core_latch {
 public:
  core_latch() = default;
  core_latch(const core_latch&) = delete;
  core_latch& operator=(const core_latch&) = delete;

  // Any thread. Whether the latch is set. For any threads X and Y, what X did before set() is
  // visible to Y after probe() has returned true.
  bool probe() const noexcept {
    // [probe] acquire, with [set]: what was done before it is there.
    return state_.load(std::memory_order_acquire) == set_state;
  }

  // Any thread, once. Sets the latch; true: the waiter sleeps, or will not look again before it
  // does, and must be woken. The latch may be gone when this returns: do not touch it again.
  [[nodiscard]] bool set() noexcept {
    // [set] release, with [probe], [move]: what was done before is seen. What the waiter did needs
    // no acquire: it is the lock that it sleeps under that shows it to who wakes it.
    return state_.exchange(set_state, std::memory_order_release) == sleeping_state;
  }

  // Waiter, awake. Announces that it is about to sleep; false if the latch is set.
  [[nodiscard]] bool get_sleepy() noexcept { return move(unset_state, sleepy_state); }
  // Waiter, after get_sleepy() and under the lock that it sleeps under. False if the latch is set.
  [[nodiscard]] bool fall_asleep() noexcept { return move(sleepy_state, sleeping_state); }
  // Waiter, after fall_asleep(): it is awake again, whoever woke it. A latch that is set stays so.
  void wake_up() noexcept {
    if (!move(sleeping_state, unset_state)) assert(probe());
  }

 private:
  static constexpr std::uint32_t unset_state = 0, sleepy_state = 1, sleeping_state = 2,
                                 set_state = 3;

  bool move(std::uint32_t from, std::uint32_t to) noexcept {
    // [move] relaxed, relaxed on failure, with [set]: nothing but the state itself is looked at
    // after it.
    return state_.compare_exchange_strong(from, to, std::memory_order_relaxed,
                                          std::memory_order_relaxed);
  }

  typename P::template atomic<std::uint32_t> state_{unset_state};
};

}  // namespace fencepost
