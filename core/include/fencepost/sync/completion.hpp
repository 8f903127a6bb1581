// A one-shot notification from one thread to one waiter; it may lie on the waiter's stack.
//
//               complete()
//     pending ---------------------------------------------> done     nobody sleeps
//        |                complete()              after the
//        +----> asleep --------------> waking --- wake -----> done
//         wait()
//
// The waiter may destroy the record as soon as it has observed `done`, so the store of `done` is
// the completing thread's last access. The policy would allow a wake after it, by the address of a
// word that may no longer exist. A completion does not do that: by then the address may belong to
// code that does not expect spurious wake-ups. Instead the wake precedes `done`, and follows a
// value that ends the sleep: `waking`. A waiter that observes `waking` is awake, and spins for the
// few instructions (or the system call) that the completing thread still needs.
//
// Threads: one thread calls complete(), once; one thread calls done() and wait().
//
// Claims (completion/…; completion/faults.hpp has what is found without each step):
//   complete() happens before the waiter's return        result_arrives, result_arrives_asleep
//   the record may be destroyed right after wait() or    record_may_die_after_the_wait, …_asleep,
//   a done() that returns true                           record_may_die_after_a_poll
//
// Ordering: for any threads X that completes and Y that waits: everything sequenced before X's
// complete(), and X's last access to the record, happen before the return of Y's wait(), or of a
// done() that returns true.
// Progress: complete() is wait-free, apart from the system's wake.
// Costs: complete(), one locked instruction; two stores and a system call more if the waiter
// sleeps. wait(), a load per spin; if it sleeps, one locked instruction and a system call. 4 bytes.
// Source: the external tasks of Lace 1.6, whose worker wakes a waiter by the address of a record
// that may have been destroyed (docs/findings/lace.md, LACE-44).
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class P = default_atomics>
class completion {
 public:
  static constexpr std::uint32_t default_spins = 256;

  completion() = default;
  completion(const completion&) = delete;
  completion& operator=(const completion&) = delete;

  // Everything sequenced before this call happens before the waiter's return from wait(), or from a
  // done() that returns true. This thread's last access to the object.
  void complete() noexcept;

  // Whether complete() was called. If true, the record may be destroyed.
  bool done() const noexcept { return state() == done_state; }

  // Returns once complete() was called; parks after `spins` polls. The record may be destroyed
  // then.
  void wait(std::uint32_t spins = default_spins) noexcept;

 protected:  // the states, for the planted faults
  static constexpr std::uint32_t pending_state = 0, asleep_state = 1, waking_state = 2,
                                 done_state = 3;

  // [look] acquire, with [complete], [wake.done]: everything before complete() is visible.
  std::uint32_t state() const noexcept { return state_.load(std::memory_order_acquire); }

  typename P::template atomic<std::uint32_t> state_{pending_state};  // the futex

 private:
  FENCEPOST_NOINLINE void wake() noexcept;
};

template <class P>
inline void completion<P>::complete() noexcept {
  std::uint32_t seen = pending_state;
  // [complete] release, relaxed on failure, with [look], [sleep]: publishes the result. A
  // compare-exchange, to be ordered with the one in wait(): either it observes that one, or it
  // comes first and makes that one fail. Relaxed on failure: no data is read. kept strong: a
  // spurious failure costs a system call.
  if (!state_.compare_exchange_strong(seen, done_state, std::memory_order_release,
                                      std::memory_order_relaxed)) [[unlikely]] {
    wake();
  }
}

template <class P>
void completion<P>::wake() noexcept {
  // [wake.waking] relaxed, alone: it only ends the sleep.
  state_.store(waking_state, std::memory_order_relaxed);
  P::futex_wake(state_, 1);
  // [wake.done] release, with [look]: publishes the result, and orders the wake before the record's
  // destruction.
  state_.store(done_state, std::memory_order_release);
}

template <class P>
void completion<P>::wait(std::uint32_t spins) noexcept {
  for (std::uint32_t turn = 0; turn < spins; ++turn) {
    if (done()) return;
    P::spin_pause();
  }
  std::uint32_t seen = pending_state;
  // [sleep] relaxed, relaxed on failure, with [complete]: orders nothing; after a failure the loop
  // below observes `done` with an acquire. kept strong: a spurious failure would skip the sleep.
  if (state_.compare_exchange_strong(seen, asleep_state, std::memory_order_relaxed,
                                     std::memory_order_relaxed)) {
    while (state() == asleep_state) P::futex_wait(state_, asleep_state, no_deadline);
  }
  // The completing thread is between its wake and its last store: a few instructions, unless it was
  // preempted there, perhaps by this thread.
  for (typename P::back_off turn; !done(); turn()) P::spin_pause();
}

}  // namespace fencepost
