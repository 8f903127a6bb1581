// Told once that something is done, to one thread that waits for it; it may lie on that thread's
// stack.
//
//               complete()
//     pending ---------------------------------------------> done     nobody sleeps
//        |                complete()              after the
//        +----> asleep --------------> waking --- wake -----> done
//         wait()
//
// As soon as the waiting thread has seen `done`, it may destroy the record; so `done` is the last
// that the other one writes. The policy would let the wake come after it, by the address of a word
// that may be gone. A completion does not: what is at that address by then may belong to code that
// knows nothing of early returns. So the wake comes before `done`, and after a value that ends the
// sleep. That is what `waking` is for: who sees it is awake, and waits the few instructions (or the
// system call) that the other still needs.
//
// Who may call: one thread, complete(), once; one thread, done() and wait().
//
// Claims (completion/…; completion/faults.hpp has what is found without each step):
//   what was done before complete() is visible after     result_arrives, result_arrives_asleep
//   the record may die right after wait() or done()      record_may_die_after_the_wait, …_asleep,
//                                                        record_may_die_after_a_poll
//
// Ordering: for any threads X and Y, what X did before complete() is visible to Y, and no access of
// X to the record is still to come, when done() has said true or wait() has returned.
// Progress: complete() is wait-free but for the system's wake.
// Costs: complete(), one locked instruction; a store and a system call more if the other sleeps.
// wait(), a load a turn; with sleep, one locked instruction and a system call. 4 bytes.
// Source: the external tasks of Lace 1.6, whose worker wakes by the address of a record that may be
// gone (docs/findings/lace.md, LACE-44).
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

  // What this thread did before is visible to the one that waits, once done() or wait() has
  // returned true to it or has returned. The last access of this thread to the object.
  void complete() noexcept;

  // Whether it is done. True: the record may be destroyed.
  bool done() const noexcept { return state() == done_state; }

  // Returns when it is done; sleeps after `spins` looks. The record may be destroyed.
  void wait(std::uint32_t spins = default_spins) noexcept;

 protected:  // the states, for the variants that must be found wrong
  static constexpr std::uint32_t pending_state = 0, asleep_state = 1, waking_state = 2,
                                 done_state = 3;

  // [look] acquire, with [complete], [wake.done]: what was done before is there.
  std::uint32_t state() const noexcept { return state_.load(std::memory_order_acquire); }

  typename P::template atomic<std::uint32_t> state_{pending_state};  // the futex

 private:
  FENCEPOST_NOINLINE void wake() noexcept;
};

template <class P>
inline void completion<P>::complete() noexcept {
  std::uint32_t seen = pending_state;
  // [complete] release, relaxed on failure, with [look], [sleep]: what was done before is seen. An
  // exchange, so that it meets the one in wait(): either that one came first, and is seen, or it
  // fails. Relaxed on failure: nothing is used. kept strong: a failure for nothing costs a system
  // call.
  if (!state_.compare_exchange_strong(seen, done_state, std::memory_order_release,
                                      std::memory_order_relaxed)) [[unlikely]] {
    wake();
  }
}

template <class P>
void completion<P>::wake() noexcept {
  // [wake.waking] relaxed, alone: it says no more than that the sleep is over.
  state_.store(waking_state, std::memory_order_relaxed);
  P::futex_wake(state_, 1);
  // [wake.done] release, with [look]: what was done before is seen, and the wake comes before the
  // end of the record.
  state_.store(done_state, std::memory_order_release);
}

template <class P>
void completion<P>::wait(std::uint32_t spins) noexcept {
  // Bounded, so the pause is the processor's own: P's would wait for a change.
  for (std::uint32_t turn = 0; turn < spins; ++turn) {
    if (done()) return;
    std_atomics::spin_pause();
  }
  std::uint32_t seen = pending_state;
  // [sleep] relaxed, relaxed on failure, with [complete]: orders nothing; on failure it is done,
  // which the loop below finds with an acquire. kept strong: who fails for nothing does not sleep.
  if (state_.compare_exchange_strong(seen, asleep_state, std::memory_order_relaxed,
                                     std::memory_order_relaxed)) {
    while (state() == asleep_state) P::futex_wait(state_, asleep_state, no_deadline);
  }
  // The other one is between its wake and its last store: some instructions away, unless it has
  // lost its processor, perhaps to this thread, by that wake.
  for (typename P::back_off turn; !done(); turn()) P::spin_pause();
}

}  // namespace fencepost
