// The items posted to a thread that sleeps in a system call when there are none: a ticket_queue, a
// wake_flag, and an event that ends the sleep; and a ring for what that thread posts to itself.
//
//      a poster                                  the thread that runs
//        push                                      pop until nothing is ready
//        the flag is up? signal the event          prepare_sleep(): true: wait for the event
//                                                  awake()
//
// An item waits for those before it: while a post is not finished, the items of later ones are not
// ready, and the thread that runs sleeps though the inbox is not empty. This loses no wake-up.
// Nothing is ready only if the next item in turn is unpublished. Its poster claims the flag after
// it publishes, and the sleeper checks this item after it raises the flag. So either the sleeper
// observes the item, or the poster observes that the flag is raised, or that it was lowered by
// another poster, whose signal ends the sleep. If that poster's item is behind the unfinished one,
// the sleeper finds nothing ready, raises the flag again and sleeps again: the same holds for that
// sleep. Once the item is published, all finished ones behind it are ready too, and none needs a
// wake-up of its own.
//
// After its item is popped, a poster does not access the inbox any more, which may be destroyed. It
// does access the wake point: the flag and the event. So the wake point is not a part of the inbox:
// it must live until every post has returned. A wake point may serve one inbox after another: a
// late wake for one is a spurious wake for the next. task_runner keeps its wake points in a pool
// for that.
//
// The ring is popped before the queue, and is pushed to only while the queue is empty: so all items
// in the queue were pushed after those in the ring, or at the same time, and the order of posts is
// kept. It is not enough that nothing is ready: behind an unfinished post there may be a finished
// one, which may happen before the push.
//
// Threads: post, any thread; push, the thread that runs or that has the inbox to itself; the
// rest, the thread that runs.
//
// Claims (task_runner/...):
//   what is posted is popped, whole, and no wake-up is lost
//                                                  post_against_poll, two_posters, two_rounds
//   ... behind a post that is not finished         sleep_behind_an_unfinished_post,
//                                                  sleep_at_the_end_of_a_slab
//   the inbox may be destroyed after the last pop  destroyed_after_the_last_task
//   if one post or push happens before another, its item is popped first
//                                                  own_tasks_keep_the_order, own_tasks_overflow,
//                                                  own_task_behind_an_unfinished_post
//
// Progress and costs: those of ticket_queue and of wake_flag::claim(): a poster that is preempted
// in the middle of its push keeps back the items after its own, until it runs again. push, without
// a locked instruction as a rule. Memory: two slabs, and the ring.
// Source: Perfetto's LockFreeTaskRunner, PERF-36 and PERF-39.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/attributes.hpp"
#include "fencepost/queue/ticket_queue.hpp"
#include "fencepost/runtime/ring.hpp"
#include "fencepost/sync/wake_flag.hpp"

namespace fencepost {

// Event has signal(), which any thread may call, and whose effect lasts until the event is cleared.
template <class P, class Event, class Flag = wake_flag<P>>
struct wake_point {  // unwatched: it outlives every post, and Flag and Event are made for that.
  Flag flag;
  Event event;

  // Any thread, after it has published work: ends the sleep of the thread that runs, if it sleeps.
  void wake() noexcept {
    if (flag.claim()) [[unlikely]] {
      event.signal();
    }
  }
};

template <class T, class WakePoint, class P = default_atomics, std::uint32_t Slots = 512,
          std::size_t Own = 256>
class task_inbox {
 public:
  // Allocates two slabs and the ring. Throws std::bad_alloc. `wake` outlives every post.
  explicit task_inbox(WakePoint& wake) : wake_(&wake) {}

  // Any thread. Adds an item, and wakes the thread that runs if it sleeps. What this thread did
  // before is visible after the pop of the item; the items of one thread are popped in its order.
  // Throws std::bad_alloc; then the item and the inbox are unchanged.
  void post(T&& item) {
    WakePoint& wake = *wake_.get();  // before the push: after it the inbox may be destroyed
    queue_.push(std::move(item));
    wake.wake();
  }
  // The thread that runs: the same, but wakes no thread. Throws std::bad_alloc only with more than
  // `Own` items.
  void push(T&& item) {
    if (!own_.full() && queue_.empty()) [[likely]] {
      own_.push(std::move(item));
    } else {
      queue_.push(std::move(item));
    }
  }

  // The thread that runs. See ticket_queue: pop() returns an item if one is ready(); an inbox that
  // is neither empty() nor ready() waits for a post that has not returned.
  [[nodiscard]] std::optional<T> pop() noexcept {
    if (!own_.empty()) return std::optional<T>{own_.pop()};
    return pop_posted();
  }
  [[nodiscard]] bool ready() noexcept { return !own_.empty() || queue_.ready(); }
  [[nodiscard]] bool empty() noexcept { return own_.empty() && queue_.empty(); }

  // The thread that runs. True if nothing is ready, and the thread is to wait for the event now.
  // From here on a post signals it, even one that began before. In either case call awake() next.
  [[nodiscard]] bool prepare_sleep() noexcept {
    wake_.get()->flag.prepare_sleep();
    return !ready();
  }
  void awake() noexcept { wake_.get()->flag.awake(); }

 protected:  // for the planted faults
  const typename P::template plain<WakePoint*> wake_;
  ticket_queue<T, P, Slots> queue_;
  ring<T, Own> own_;  // unwatched: used by the thread that runs.

 private:
  // Not inlined, so that pop() needs few registers for what the thread has posted to itself.
  FENCEPOST_NOINLINE std::optional<T> pop_posted() noexcept { return queue_.pop(); }
};

}  // namespace fencepost
