// A reusable barrier for a fixed number of threads: sense-reversing, with leaving threads counted.
//
//   arrivals   0 1 2 … n-1 | 0 1 2 …          each arrival adds one; the last resets it to 0,
//   sense      0 0 0 …   0 | 1 1 1 …   1 | 0  flips the sense, and so releases the waiters
//   leaving            … n | n-1 … 1 0        each leaving thread subtracts one
//
// A waiter polls the sense: first with a pause between polls, then with a yield; then it parks (the
// bit `parked` beside the sense says that some waiter has), so that more threads than processors do
// not delay each other. With `spin_for_ever` as the number of polls it only pauses: for threads
// that have a processor each.
//
// Threads: each of the n threads calls wait(), once per phase. Any thread may destroy the barrier
// once no thread will call wait() again, even a thread whose own last wait() has just returned: the
// destructor waits until all others have left. It is a precondition, which is asserted, that no
// thread in wait() still waits for another when the destructor begins.
//
// Claims (barrier/…; barrier/faults.hpp has what is found without each order):
//   everything before any wait() happens before every return    all_to_all, all_to_all_spinning,
//   of that phase                                               all_to_all_parked
//   ... in each phase, and phases do not mix                    phases_follow_each_other (_parked),
//                                                               phases_of_three, leavers_uncounted
//   in each phase, wait() returns true to exactly one thread    one_is_the_last
//   the last arrival's step happens before every return         last_step
//   it may be destroyed right after the last wait               may_die_after_the_last_wait
//                                                               (_parked), last_may_destroy,
//                                                               life_of_two_phases
//   with .store_load: a thread's store before wait() and its    store_load
//   load after it are ordered, for threads outside as well
//
// The last claim needs a fence, and is opt-in: without it, a thread outside the barrier may observe
// a store before wait() and a load after it reordered (barrier/no_store_load_fence). The threads of
// the barrier cannot tell the difference.
//
// Progress: blocking.
// Costs: two locked instructions per thread and phase (one if leaving threads are not counted), one
// more and a system call for each waiter that parks; for the last arrival one more, and a system
// call if any waiter is parked.
// Source: Lace's barrier (Lace 1.6), with parking and a real store_load.
#pragma once

#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"

namespace fencepost {

struct barrier_options {       // How a barrier waits, and what it guarantees beyond meeting.
  bool store_load = false;     // a fence in each wait(): see above
  bool counts_leavers = true;  // false: the destroying thread knows otherwise that all have left
};

inline constexpr std::uint32_t spin_for_ever = std::numeric_limits<std::uint32_t>::max();

template <class P = default_atomics, barrier_options Options = barrier_options{}>
class barrier {
 public:
  static constexpr std::uint32_t default_spins = 128;
  static constexpr std::uint64_t max_threads = std::numeric_limits<std::uint32_t>::max();

  // For this many threads; each polls `spins` times before it parks.
  // Throws std::invalid_argument for no threads, std::length_error beyond max_threads.
  explicit barrier(std::uint64_t threads, std::uint32_t spins = default_spins)
      : threads_{checked(threads)}, spins_{spins} {}

  barrier(const barrier&) = delete;
  barrier& operator=(const barrier&) = delete;
  ~barrier();

  // Returns once all threads have called it: true to the last arrival. For any threads X and Y of
  // the barrier: everything sequenced before X's wait() happens before the return of Y's wait() of
  // the same phase.
  bool wait() noexcept {
    return wait([] {});
  }
  // The same; the last arrival calls `last_step` before any thread is released. The call happens
  // after every arrival and before every return. It must not throw.
  template <class Step>
  bool wait(Step&& last_step) noexcept;

  std::uint32_t threads() const noexcept { return threads_.get(); }

 private:
  static constexpr std::uint32_t sense_bit = 1, parked_bit = 2;
  static constexpr std::size_t cache_line = 64;

  static std::uint32_t checked(std::uint64_t threads);
  void release(std::uint32_t sense) noexcept;
  FENCEPOST_NOINLINE void await_turn(std::uint32_t sense) noexcept;
  bool still(std::uint32_t sense) const noexcept;
  void leave() noexcept;

  // Written by arrivals, on another cache line than the word that waiters read.
  alignas(cache_line) typename P::template atomic<std::uint32_t> arrivals_{0};
  typename P::template atomic<std::uint32_t> leaving_{0};
  alignas(cache_line) typename P::template atomic<std::uint32_t> sense_{0};  // the futex
  const typename P::template plain<std::uint32_t> threads_;
  const typename P::template plain<std::uint32_t> spins_;
};

template <class P, barrier_options Options>
template <class Step>
bool barrier<P, Options>::wait(Step&& last_step) noexcept {
  if constexpr (Options.store_load) {
    // [wait.fence] seq_cst, alone: its partner is any such fence of a thread outside, between its
    // store and its load. The exchanges below are no substitute: acquire and release order neither.
    P::fence(std::memory_order_seq_cst);
  }
  // [wait.sense] relaxed, alone: the sense flips after all arrivals, so after this thread's; the
  // release in the arrival keeps this load before it.
  const std::uint32_t sense = sense_.load(std::memory_order_relaxed) & sense_bit;
  // [arrive] acq_rel, with [arrive]: release to every later arrival, up to the last; acquire of all
  // earlier ones.
  const std::uint32_t before = arrivals_.fetch_add(1, std::memory_order_acq_rel);
  assert(before < threads() && "barrier: more threads wait than it was constructed for");
  const bool last = before + 1 == threads();
  if (last) {
    last_step();
    release(sense);
  } else {
    await_turn(sense);
  }
  leave();
  return last;
}

// The last arrival: releases the waiters.
template <class P, barrier_options Options>
inline void barrier<P, Options>::release(std::uint32_t sense) noexcept {
  // [turn.arrivals] relaxed, alone: published by the flip of the sense.
  arrivals_.store(0, std::memory_order_relaxed);
  // [turn.leaving] relaxed, alone: the same.
  if constexpr (Options.counts_leavers) leaving_.store(threads(), std::memory_order_relaxed);
  // [turn] release, with [look], [park]: publishes everything before the barrier. An exchange, not
  // a store, to be ordered with the one that sets parked_bit: either it observes the bit, or it
  // comes first and makes that one fail.
  const std::uint32_t seen = sense_.exchange(sense ^ sense_bit, std::memory_order_release);
  if ((seen & parked_bit) != 0) P::futex_wake(sense_, std::numeric_limits<unsigned>::max());
}

// Whether the sense has not flipped yet.
template <class P, barrier_options Options>
inline bool barrier<P, Options>::still(std::uint32_t sense) const noexcept {
  // [look] acquire, with [turn]: everything that any thread did before the barrier is visible.
  return (sense_.load(std::memory_order_acquire) & sense_bit) == sense;
}

template <class P, barrier_options Options>
void barrier<P, Options>::await_turn(std::uint32_t sense) noexcept {
  const std::uint32_t spins = spins_.get();
  if (spins == spin_for_ever) {
    while (still(sense)) P::spin_pause();
    return;
  }
  typename P::back_off turn;
  for (std::uint32_t looks = 0; looks < spins; ++looks) {
    if (!still(sense)) return;
    turn();
  }
  while (still(sense)) {
    std::uint32_t unparked = sense;
    // [park] relaxed, relaxed on failure, with [turn]: orders nothing; still() loads again. kept
    // strong: after a spurious failure the wait is a needless system call.
    sense_.compare_exchange_strong(unparked, sense | parked_bit, std::memory_order_relaxed,
                                   std::memory_order_relaxed);
    P::futex_wait(sense_, sense | parked_bit, no_deadline);
  }
}

template <class P, barrier_options Options>
inline void barrier<P, Options>::leave() noexcept {
  // [leave] release, with [destroy]: the last access to the barrier.
  if constexpr (Options.counts_leavers) leaving_.fetch_sub(1, std::memory_order_release);
}

template <class P, barrier_options Options>
barrier<P, Options>::~barrier() {
  if constexpr (Options.counts_leavers) {
    // [destroy] acquire, with [leave]: that of every thread: the later ones continue its release
    // sequence.
    for (typename P::back_off turn; leaving_.load(std::memory_order_acquire) != 0; turn())
      P::spin_pause();
  }
  assert(arrivals_.load(std::memory_order_relaxed) == 0 &&
         "barrier: destroyed while threads wait in it");
}

template <class P, barrier_options Options>
std::uint32_t barrier<P, Options>::checked(std::uint64_t threads) {
  if (threads == 0) {
    detail::raise<std::invalid_argument>(
        "barrier: constructed for 0 threads; it needs at least one");
  }
  if (threads > max_threads) {
    detail::raise<std::length_error>("barrier: " + std::to_string(threads) +
                                     " threads are too many; at most " +
                                     std::to_string(max_threads));
  }
  return static_cast<std::uint32_t>(threads);
}

}  // namespace fencepost
