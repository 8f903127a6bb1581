// oneTBB, pull request 2136, "Fix lost wakeup in notify_by_address on AArch64" (2026): mutex and
// rw_mutex, on top of a table of wait-sets.
//
// What was wrong: a waiter enters the wait-set, issues a fence, looks at the mutex once more, and
// sleeps. The other thread unlocks by a read-modify-write and then checks whether the wait-set is
// empty: if so, it wakes no thread. A read-modify-write is not a fence, whatever its order: the
// load after it may be satisfied before its store is visible. So the waiter still sees the mutex
// locked, the other thread sees no waiter, and the waiter sleeps for ever. Seen on AWS Graviton 3.
// Repair: a sequentially consistent fence before the check of the wait-set.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

namespace onetbb_2136_scenarios {

template <class P, bool Fence>
struct unlock_against_wait {
  typename P::template atomic<bool> locked{true};
  typename P::template atomic<unsigned> waiting{0};  // how many are in the wait-set
  typename P::template atomic<bool> woken{false};

  void thread(unsigned index) {
    if (index == 0) {
      unlock();
    } else {
      wait();
    }
  }
  void unlock() {
    locked.exchange(false, std::memory_order_seq_cst);
    if constexpr (Fence) P::fence(std::memory_order_seq_cst);  // pairs with the fence in wait()
    if (waiting.load(std::memory_order_relaxed) == 0) return;
    woken.store(true, std::memory_order_release);  // pairs with the acquire in wait()
  }
  void wait() {
    waiting.store(1, std::memory_order_relaxed);
    P::fence(std::memory_order_seq_cst);  // pairs with the fence in unlock(), if there is one
    if (!locked.load(std::memory_order_acquire)) return;
    while (!woken.load(std::memory_order_acquire)) P::spin_pause();  // sleeps
  }
};

template <class P>
struct published : unlock_against_wait<P, false> {
  static constexpr auto about =
      scenario{.name = "known_bugs/onetbb_lost_wakeup",
               .threads = 2,
               .claim = "a wait set that is read after a read-modify-write may still appear empty",
               .expected = violation::liveness};
};

template <class P>
struct repaired : unlock_against_wait<P, true> {
  static constexpr auto about =
      scenario{.name = "known_bugs/onetbb_lost_wakeup_repaired",
               .threads = 2,
               .claim = "with a fence after the read-modify-write, no waiter is overlooked"};
};

}  // namespace onetbb_2136_scenarios

using onetbb_2136_list =
    scenario_list<onetbb_2136_scenarios::published, onetbb_2136_scenarios::repaired>;

}  // namespace fencepost::models::known_bugs
