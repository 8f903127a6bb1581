// Whether a thread that waits for an event of the system's must be woken by it: a flag beside the
// event, so that nobody asks the system for a wake while that thread is up.
//
//      who sleeps (one thread)                          who wakes (any thread)
//        flag = 1             prepare_sleep()             publish the work
//        fence                                            fence                   claim()
//        is there work?       the caller; if so, no       flag == 0? false: no signal
//                               sleep                     flag.exchange(0) == 0? false
//        wait for the event   the caller                  true: signal the event
//        flag = 0             awake()
//        take the signal back, if there is one; look for work
//
// The event is one that stays: an eventfd, a pipe, a binary semaphore. A signal before the wait
// ends the wait. Of those that find the flag up one takes it down, and signals: a burst of work
// costs one system call. Each side first says what it has, then looks at the other, with a
// sequentially consistent fence between: so one of them sees the other. A signal may come late, for
// a sleep that is over; then the next sleep ends at once, and the thread looks for work and sleeps
// again.
//
// Who may call: claim, any thread; the rest, the one that sleeps.
//
// Claims (task_runner/...; task_runner/faults.hpp has what fails without each step):
//   no wake-up is lost                                  post_against_poll, two_posters
//   ... nor by a sleep that ends and begins anew        two_rounds
//   who finds work while it gets ready to sleep goes on work_comes_before_the_sleep
//   a wake that comes late does no harm                 late_wake_of_another_runner
//
// Progress: wait-free. Costs: claim, one fence and one relaxed load; a locked instruction more if
// the flag is up. 4 bytes.
// Source: Perfetto's LockFreeTaskRunner writes its eventfd for each post (design document); the
// flag is the kit's.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class P = default_atomics>
class wake_flag {
 public:
  wake_flag() = default;
  wake_flag(const wake_flag&) = delete;
  wake_flag& operator=(const wake_flag&) = delete;

  // The thread that sleeps. It is about to: look for work once more, and wait for the event only if
  // there is none. Either way, awake() comes next. For any other thread X: what X published before
  // its claim() is seen by that look, or X's claim or another one says true after the flag was put
  // up here.
  void prepare_sleep() noexcept {
    // [up] relaxed, with [claim.look]: ordered by the fence.
    flag_.store(1, std::memory_order_relaxed);
    // [up.fence] seq_cst, with [claim.fence]: store buffering. Either this one comes first: then
    // claim() finds the flag up. Or that one: then the look for work after this fence sees what was
    // published before that one. Acquire and release would allow neither.
    P::fence(std::memory_order_seq_cst);
  }

  // The thread that sleeps, when it does no more.
  // [awake] relaxed, alone: who does not see this yet signals for nothing.
  void awake() noexcept { flag_.store(0, std::memory_order_relaxed); }

  // Any thread, after it has published work. True: the caller must signal the event, now.
  [[nodiscard]] bool claim() noexcept {
    // [claim.fence] seq_cst, with [up.fence]: store buffering: without it the load below may be
    // done before the work is published.
    P::fence(std::memory_order_seq_cst);
    // [claim.look] relaxed, with [up]: ordered by the fence.
    if (flag_.load(std::memory_order_relaxed) == 0) [[likely]] {
      return false;
    }
    // [claim] relaxed, alone: of several one takes the flag down; it hands over nothing.
    return flag_.exchange(0, std::memory_order_relaxed) != 0;
  }

 private:
  typename P::template atomic<std::uint32_t> flag_{0};  // 1: asleep, or about to be
};

}  // namespace fencepost
