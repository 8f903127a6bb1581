// brpc, pull request 3539 (2026): a parking lot that forgets a waiter.
//
// The idle workers of bthread sleep on a futex whose word each signal increments. To save system
// calls, a signal does not wake when the number of waiters is zero. A waiter counts itself and goes
// to sleep if the word is still what it was before its last look for work; a signal increments the
// word and then reads the number. All these accesses are relaxed, or release.
//
// What was wrong: each of two threads writes one location and then reads the other's (store
// buffering). Nothing prevents that the signal reads no waiter while the waiter reads the old word
// and sleeps. Repair: a sequentially consistent fence on either side, between the write and the
// read. (A futex has one for the waiter; the signal's was missing.)
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

template <class P, bool Fences>
struct brpc_parking_lot_protocol {
  typename P::template atomic<std::uint32_t> signals{0}, waiters{0};
  typename P::template atomic<bool> task{false};

  void signal() {
    signals.fetch_add(2, std::memory_order_release);
    if (Fences) P::fence(std::memory_order_seq_cst);
    if (waiters.load(std::memory_order_relaxed) != 0) P::futex_wake(signals, 1);
  }
  void wait(std::uint32_t seen) {
    waiters.fetch_add(1, std::memory_order_relaxed);
    if (Fences) P::fence(std::memory_order_seq_cst);
    P::futex_wait(signals, seen, no_deadline);
    waiters.fetch_sub(1, std::memory_order_relaxed);
  }

  void thread(unsigned index) {
    if (index == 0) {
      task.store(true, std::memory_order_release);
      signal();
      return;
    }
    for (;;) {
      const std::uint32_t seen = signals.load(std::memory_order_acquire);
      if (task.load(std::memory_order_acquire)) return;
      wait(seen);
    }
  }
};

template <class P>
struct brpc_parking_lot : brpc_parking_lot_protocol<P, false> {
  static constexpr auto about =
      scenario{.name = "known_bugs/brpc_parking_lot",
               .threads = 2,
               .claim = "a signal that reads no waiters while a thread goes to sleep is lost",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct brpc_parking_lot_repaired : brpc_parking_lot_protocol<P, true> {
  static constexpr auto about =
      scenario{.name = "known_bugs/brpc_parking_lot_repaired",
               .threads = 2,
               .claim = "with a fence on each side, at least one observes the other",
               .timeouts = 0};
};

using brpc_parking_lot_list = scenario_list<brpc_parking_lot, brpc_parking_lot_repaired>;

}  // namespace fencepost::models::known_bugs
