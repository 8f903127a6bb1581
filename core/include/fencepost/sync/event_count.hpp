// Where threads sleep that find nothing to do, and are woken when there is: an event count.
//
//      who sleeps                                       who wakes
//        seen = sequence      prepare_wait()              publish the work
//        sleepers + 1                                     fence                   notify_one()
//        fence                                            sleepers == 0? done
//        is there work?       the caller; if so,          sequence + 1
//        sleep while            cancel_wait()             wake one
//          sequence == seen   wait()
//        sleepers - 1
//
// Work may be anything that can be asked for: a deque that is not empty, a count, a flag to stop.
// The order of the steps is what matters. The sequence is read before the last look for work: a
// wake that comes after the look, or between the look and the sleep, has changed the sequence, and
// the sleep does not begin. And each side first says what it has, then looks at the other, with a
// sequentially consistent fence between: so one of them sees the other. Nobody asleep means no
// system call, and no write to what others read.
//
// Who may call: any thread, everything. Construction and destruction happen before and after all.
//
// Claims (event_count/…; event_count/faults.hpp has the steps and fences, each left out):
//   no wake-up is lost, and none depends on a time-out       wake_is_not_lost, two_wakers,
//                                                            work_for_two_sleepers
//   who finds work while it gets ready to sleep goes on      cancel_keeps_the_wake_of_another
//   one wake is enough where each woken thread passes it on  cascade_reaches_everybody
//   a stop wakes all, and strands nobody                     stop_strands_nobody, stop_and_work
//   a wait that times out leaves nothing behind              timeout_leaves_nothing_behind
//   ... and says what is true then                           ready_at_the_deadline
//
// Progress: notify is wait-free but for the system's wake. Waiting waits.
// Costs: notify, one fence and one relaxed load of a word that changes only when somebody goes to
// sleep or wakes; with sleepers, a locked instruction and a system call more. 8 bytes; no
// allocation.
// Bounds: each sleeper is a thread, so that their 32-bit count cannot overflow: no system has 2^32
// threads. A sleeper misses a wake if exactly 2^32 wakes fall between its two looks at the
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
  // What a thread that gets ready to sleep has seen. unwatched: returned by value.
  struct ticket {
    std::uint32_t sequence;
  };

  event_count() = default;
  event_count(const event_count&) = delete;
  event_count& operator=(const event_count&) = delete;

  // Says that this thread is about to sleep. Then look for work once more, and call either
  // cancel_wait() or wait(). The look may use relaxed loads: if it misses what a thread published
  // before its notify, that notify ends the wait.
  [[nodiscard]] ticket prepare_wait() noexcept;
  // There is work after all.
  void cancel_wait() noexcept;
  // Sleeps until a notify that came after prepare_wait(). May return early for no reason: look for
  // work again. False if and only if the deadline has passed.
  bool wait(ticket seen, deadline until = no_deadline) noexcept;

  // Returns when ready() says true, asleep meanwhile; false: the deadline has passed and ready()
  // still says false. What ready() has read, it has acquired as far as its own loads acquire.
  template <class Ready>
  bool await(Ready&& ready, deadline until = no_deadline);

  // After publishing work: wakes at least one of those asleep, if there are any. For any threads X
  // and Y: what X did before its notify is seen by Y's look after prepare_wait(), or Y is woken.
  void notify_one() noexcept { notify(1); }
  // The same for all that sleep: a stop, a new phase.
  void notify_all() noexcept { notify(std::numeric_limits<unsigned>::max()); }

  // Whether anyone sleeps or is about to. For any threads X and Y: what X did before this is seen
  // by Y's look after prepare_wait(), or this counts Y.
  bool anyone_asleep() const noexcept;

  // Threads that sleep or are about to.
  // [sleepers] relaxed, alone: a hint, and stale at once.
  std::uint32_t sleepers() const noexcept { return sleepers_.load(std::memory_order_relaxed); }

 protected:  // the steps, for the variants that must be found wrong
  std::uint32_t read_sequence() const noexcept;
  void enter() noexcept;
  void leave() noexcept;
  void notify(unsigned most) noexcept;

  struct registration {  // One that sleeps or is about to, counted while it is. unwatched: its own.
    event_count& self;
    bool sleeps = false;
    ~registration() {
      if (!sleeps) self.cancel_wait();
    }
  };

  typename P::template atomic<std::uint32_t> sequence_{0};  // of wakes; the futex
  typename P::template atomic<std::uint32_t> sleepers_{0};
};

template <class P>
inline std::uint32_t event_count<P>::read_sequence() const noexcept {
  // [read_sequence] acquire, with [notify]: who has read the number of a wake is not one of those
  // that this wake has counted. With both relaxed, ISO C++ would let this load move below the count
  // in enter() and read the number that the count itself has set off. kept acquire: against load
  // buffering alone, which the checker cannot show.
  return sequence_.load(std::memory_order_acquire);
}

template <class P>
inline void event_count<P>::enter() noexcept {
  // [enter] relaxed, with [notify.sleepers]: ordered by the fence.
  sleepers_.fetch_add(1, std::memory_order_relaxed);
  // [enter.fence] seq_cst, with [notify.fence]: store buffering. Either this one comes first: then
  // notify() counts this thread. Or that one: then the look for work after this fence sees what was
  // published before that one. Acquire and release would allow neither.
  P::fence(std::memory_order_seq_cst);
}

template <class P>
inline void event_count<P>::leave() noexcept {
  // [leave] relaxed, alone: a notify that still counts this thread makes a call for nothing.
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
  // [notify.fence] seq_cst, with [enter.fence]: store buffering: without it the load below may be
  // done before the work is published.
  P::fence(std::memory_order_seq_cst);
  // [notify.sleepers] relaxed, with [enter]: ordered by the fence.
  return sleepers_.load(std::memory_order_relaxed) != 0;
}

template <class P>
inline void event_count<P>::notify(unsigned most) noexcept {
  if (!anyone_asleep()) [[likely]]
    return;
  // [notify] release, with [read_sequence]: not for the work: that is published by its own store
  // and the fence above; and not for who sleeps already: a futex compares and enqueues in one step
  // with respect to the wake below. kept release: against load buffering, as that acquire.
  sequence_.fetch_add(1, std::memory_order_release);
  P::futex_wake(sequence_, most);
}

}  // namespace fencepost
