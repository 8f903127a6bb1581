// An event count: threads that find no work sleep on it, and are woken once there is some.
//
//      waiter                                           notifier
//        seen = sequence      prepare_wait()              publish the work
//        sleepers + 1                                     fence                   notify_one()
//        fence                                            sleepers == 0? done
//        is there work?       the caller; if so,          sequence + 1
//        sleep while            cancel_wait()             wake one
//          sequence == seen   wait()
//        sleepers - 1
//
// Work may be anything that can be queried: a deque that is not empty, a count, a stop flag. The
// order of the steps matters. The waiter reads the sequence before its last search for work: a wake
// after the search, or between the search and the sleep, has advanced the sequence, and the waiter
// does not sleep. And each side publishes before it reads the other's word, with a sequentially
// consistent fence between: so at least one observes the other. With no waiter there is no system
// call, and no write to a shared line.
//
// Threads: any thread, every function. Construction and destruction happen before and after all.
//
// Claims (event_count/…; event_count/faults.hpp has the steps and fences, each left out):
//   no wake-up is lost, and none depends on a time-out       wake_is_not_lost, two_wakers,
//                                                            work_for_two_sleepers
//   a cancelled wait consumes no other waiter's wake-up      cancel_keeps_the_wake_of_another
//   one wake suffices where each woken thread wakes another  cascade_reaches_everybody
//   a stop wakes every waiter, and strands none              stop_strands_nobody, stop_and_work
//   a wait that times out leaves nothing behind              timeout_leaves_nothing_behind
//   ... and reports the condition as of the deadline         ready_at_the_deadline
//
// Progress: notify is wait-free, apart from the system's wake. Waiting blocks.
// Costs: notify, one fence and one relaxed load of a word that changes only when a thread goes to
// sleep or wakes; with waiters, a locked instruction and a system call more. 8 bytes; no
// allocation.
// Bounds: each waiter is a thread, so the 32-bit count of them cannot overflow: no system has 2^32
// threads. A waiter misses a wake if exactly 2^32 wakes fall between its two reads of the
// sequence.
// Source: Lace's wake word and n_sleeping (Lace 1.6), with its steps in another order; see
// docs/findings/lace.md, LACE-60.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class P = default_atomics>
class event_count {
 public:
  // The sequence that a waiter read in prepare_wait(). unwatched: returned by value.
  struct ticket {
    std::uint32_t sequence;
  };

  event_count() = default;
  event_count(const event_count&) = delete;
  event_count& operator=(const event_count&) = delete;

  // Announces that this thread is about to sleep. Search for work once more, then call either
  // cancel_wait() or wait(). The search may use relaxed loads: if it misses work published before a
  // notify, that notify ends the wait.
  [[nodiscard]] ticket prepare_wait() noexcept;
  // Ends the prepared wait: the search has found work.
  void cancel_wait() noexcept;
  // Sleeps until a notify after prepare_wait(). May return spuriously: search for work again.
  // Returns false if and only if the deadline has passed.
  bool wait(ticket seen, deadline until = no_deadline) noexcept;

  // Sleeps until ready() returns true. Returns false if the deadline has passed and ready() still
  // returns false. What ready() reads is ordered by its own loads only.
  template <class Ready>
  bool await(Ready&& ready, deadline until = no_deadline);

  // After work was published: wakes at least one waiter, if there is any. For any threads X and Y:
  // either Y's search after prepare_wait() observes what X did before its notify, or Y is woken.
  void notify_one() noexcept { notify(1); }
  // The same for all waiters: a stop, a new phase.
  void notify_all() noexcept { notify(std::numeric_limits<unsigned>::max()); }

  // Whether any thread sleeps or is about to. For any threads X and Y: either Y's search after
  // prepare_wait() observes what X did before this call, or this call counts Y.
  bool anyone_asleep() const noexcept;

  // The number of threads that sleep or are about to.
  // [sleepers] relaxed, alone: a hint, and stale at once.
  std::uint32_t sleepers() const noexcept { return sleepers_.load(std::memory_order_relaxed); }

 protected:  // the steps, for the planted faults
  std::uint32_t read_sequence() const noexcept;
  void enter() noexcept;
  void leave() noexcept;
  void notify(unsigned most) noexcept;

  struct registration {  // Counts a waiter during its lifetime. unwatched: its own thread's.
    event_count& self;
    bool sleeps = false;
    ~registration() {
      if (!sleeps) self.cancel_wait();
    }
  };

  typename P::template atomic<std::uint32_t> sequence_{0};  // counts wakes; the futex
  typename P::template atomic<std::uint32_t> sleepers_{0};
};

template <class P>
inline std::uint32_t event_count<P>::read_sequence() const noexcept {
  // [read_sequence] acquire, with [notify]: a waiter that reads the number of a wake is not among
  // those counted by that wake. With both relaxed, ISO C++ would let this load move below the count
  // in enter() and read a number that depends on that count. kept acquire: against load buffering
  // alone; the scenarios that can be explored under xc20 hold without it.
  return sequence_.load(std::memory_order_acquire);
}

template <class P>
inline void event_count<P>::enter() noexcept {
  // [enter] relaxed, with [notify.sleepers]: ordered by the fence.
  sleepers_.fetch_add(1, std::memory_order_relaxed);
  // [enter.fence] seq_cst, with [notify.fence]: store buffering. If this fence is first, notify()
  // counts this thread. If that one does, the search for work after this fence observes everything
  // published before that one. Acquire and release would guarantee neither.
  P::fence(std::memory_order_seq_cst);
}

template <class P>
inline void event_count<P>::leave() noexcept {
  // [leave] relaxed, alone: a notify that still counts this thread makes a needless system call.
  sleepers_.fetch_sub(1, std::memory_order_relaxed);
}

template <class P>
auto event_count<P>::prepare_wait() noexcept -> ticket {
  const ticket seen{read_sequence()};  // first: see above
  enter();
  return seen;
}

template <class P>
void event_count<P>::cancel_wait() noexcept {
  leave();
}

template <class P>
bool event_count<P>::wait(ticket seen, deadline until) noexcept {
  const bool in_time = P::futex_wait(sequence_, seen.sequence, until);
  leave();
  return in_time;
}

template <class P>
template <class Ready>
bool event_count<P>::await(Ready&& ready, deadline until) {
  while (!ready()) {
    const ticket seen = prepare_wait();
    registration counted{*this};  // an exception from ready() cancels
    if (ready()) return true;
    counted.sleeps = true;
    if (!wait(seen, until)) return ready();
  }
  return true;
}

template <class P>
inline bool event_count<P>::anyone_asleep() const noexcept {
  // [notify.fence] seq_cst, with [enter.fence]: store buffering: without it the load below may
  // precede the publication of the work.
  P::fence(std::memory_order_seq_cst);
  // [notify.sleepers] relaxed, with [enter]: ordered by the fence.
  return sleepers_.load(std::memory_order_relaxed) != 0;
}

template <class P>
inline void event_count<P>::notify(unsigned most) noexcept {
  if (!anyone_asleep()) [[likely]]
    return;
  // [notify] release, with [read_sequence]: not for the work, which its own store and the fence
  // above publish; nor for a thread that is asleep: a futex compares and enqueues in one step with
  // respect to the wake below. kept release: against load buffering, like the acquire in
  // read_sequence().
  sequence_.fetch_add(1, std::memory_order_release);
  P::futex_wake(sequence_, most);
}

}  // namespace fencepost
