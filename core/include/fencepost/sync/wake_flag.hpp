// A flag beside a system event that a thread sleeps on: it says whether the event must be signalled
// to wake the thread, so that no system call is made while the thread is awake.
//
//      sleeper (one thread)                             waker (any thread)
//        flag = 1             prepare_sleep()             publish the work
//        fence                                            fence                   claim()
//        is there work?       the caller; if so, no       flag == 0? false: no signal
//                               sleep                     flag.exchange(0) == 0? false
//        wait for the event   the caller                  true: signal the event
//        flag = 0             awake()
//        consume the signal, if there is one; look for work
//
// The event is sticky: an eventfd, a pipe, a binary semaphore. A signal before the wait ends the
// wait. Of the threads that find the flag raised, one lowers it and signals: a burst of work costs
// one system call. Each side publishes before it reads the other's word, with a sequentially
// consistent fence between: so at least one observes the other. A signal may be late, for a sleep
// that is over; it then ends the next sleep at once, and the thread searches for work and sleeps
// again.
//
// Threads: claim, any thread; the rest, the sleeper.
//
// Claims (task_runner/...; task_runner/faults.hpp has what fails without each step):
//   no wake-up is lost                                  post_against_poll, two_posters
//   ... nor in a second sleep                           two_rounds, slow_poster
//   a thread that finds work before it sleeps stays up  work_comes_before_the_sleep
//   a late wake-up does no harm                         late_wake_of_another_runner
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

  // The sleeper, about to sleep: search for work once more, and wait for the event only if there is
  // none. Either way, call awake() next. For any other thread X: either that search observes what X
  // published before its claim(), or a claim(), X's or another's, returns true after the flag was
  // raised here.
  void prepare_sleep() noexcept {
    // [up] release, with [claim], [claim.look]: the thread that lowers the flag signals after this
    // thread consumed the signal for its last sleep. Otherwise the new signal could be consumed
    // with that one, and be lost.
    flag_.store(1, std::memory_order_release);
    // [up.fence] seq_cst, with [claim.fence]: store buffering. If this fence comes first, claim()
    // finds the flag raised. If that one does, the search for work after this fence observes
    // everything published before that one. Acquire and release would guarantee neither.
    P::fence(std::memory_order_seq_cst);
  }

  // The sleeper, once it is awake.
  // [awake] relaxed, alone: a waker that does not observe this yet sends a needless signal.
  void awake() noexcept { flag_.store(0, std::memory_order_relaxed); }

  // Any thread, after it has published work. True: the caller must now signal the event. What the
  // sleeper did before the prepare_sleep() whose flag this lowers happens before the return.
  [[nodiscard]] bool claim() noexcept {
    // [claim.fence] seq_cst, with [up.fence]: store buffering: without it the load below may
    // precede the publication of the work.
    P::fence(std::memory_order_seq_cst);
    // [claim.look] relaxed, with [up]: ordered by the fence.
    if (flag_.load(std::memory_order_relaxed) == 0) [[likely]] {
      return false;
    }
    // [claim] acquire, with [up]: the signal comes after what the sleeper did to the event before.
    // An exchange: exactly one thread lowers the flag.
    return flag_.exchange(0, std::memory_order_acquire) != 0;
  }

 private:
  typename P::template atomic<std::uint32_t> flag_{0};  // 1: asleep, or about to be
};

}  // namespace fencepost
