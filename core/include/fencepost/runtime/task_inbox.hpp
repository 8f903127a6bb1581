// What is posted to a thread that sleeps in a system call when there is nothing: a slab_queue, a
// wake_flag, and an event that ends the sleep; and a ring for what that thread posts to itself.
//
//      a poster                                  the thread that runs
//        push                                      pop until there is nothing
//        the flag is up? signal the event          prepare_sleep(): true: wait for the event
//                                                  awake()
//
// After its item is popped a poster does not touch the inbox any more: it may be destroyed. It does
// touch the wake point, the flag and the event. So that is not a part of the inbox: it must live
// until every post has returned. A wake point may serve one inbox after the other: a late wake of
// one is a wake for nothing of the next. task_runner keeps its own in a pool for that.
//
// The ring comes before the queue, and is used only while the queue is empty: so all that is in the
// queue was pushed after what is in the ring, or at the same time, and the order of posts is kept.
//
// Threads: post, any thread; push, the thread that runs or that has the inbox to itself; the
// rest, the thread that runs.
//
// Claims (task_runner/...):
//   what is posted is popped, whole, and no wake-up is lost
//                                                  post_against_poll, two_posters, two_rounds
//   the inbox may be destroyed after the last pop  destroyed_after_the_last_task
//   if one post or push happens before another, its item is popped first
//                                                  own_tasks_keep_the_order, own_tasks_overflow
//
// Progress and costs: those of slab_queue and of wake_flag::claim(); push, without a locked
// instruction as a rule. Memory: two slabs, and the ring.
// Source: Perfetto's LockFreeTaskRunner, PERF-36 and PERF-39.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/attributes.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/runtime/ring.hpp"
#include "fencepost/sync/wake_flag.hpp"

namespace fencepost {

// Event has signal(), which any thread may call and which has an effect that stays.
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

template <class T, class WakePoint, class P = default_atomics, slab_shape Shape = slab_shape{},
          std::size_t Own = 256>
class task_inbox {
 public:
  // Allocates two slabs and the ring. Throws std::bad_alloc. `wake` outlives every post.
  explicit task_inbox(WakePoint& wake) : wake_(&wake) {}

  // Any thread. Adds an item, and sees to it that the thread that runs comes to look. What this
  // thread did before is visible after the pop of the item; the items of one thread come in its
  // order. Throws std::bad_alloc: then the item and the inbox are as they were.
  void post(T&& item) {
    WakePoint& wake = *wake_.get();  // before the push: after it the inbox may be gone
    queue_.push(std::move(item));
    wake.wake();
  }
  // The thread that runs: the same, and it is not asleep. Throws std::bad_alloc only with more than
  // `Own` items.
  void push(T&& item) {
    if (!own_.full() && queue_.empty()) [[likely]] {
      own_.push(std::move(item));
    } else {
      queue_.push(std::move(item));
    }
  }

  // The thread that runs. See slab_queue.
  [[nodiscard]] std::optional<T> pop() noexcept {
    if (!own_.empty()) return std::optional<T>{own_.pop()};
    return pop_posted();
  }
  [[nodiscard]] bool empty() noexcept { return own_.empty() && queue_.empty(); }

  // The thread that runs. True: nothing is there; wait for the event, now. From here on a post
  // signals it. Either way, awake() comes next.
  [[nodiscard]] bool prepare_sleep() noexcept {
    wake_.get()->flag.prepare_sleep();
    return empty();
  }
  void awake() noexcept { wake_.get()->flag.awake(); }

 protected:  // for the variants that must be found wrong
  const typename P::template plain<WakePoint*> wake_;
  slab_queue<T, P, Shape> queue_;
  ring<T, Own> own_;  // unwatched: of the thread that runs.

 private:
  // A call of its own: what the thread posts to itself comes in few registers.
  FENCEPOST_NOINLINE std::optional<T> pop_posted() noexcept { return queue_.pop(); }
};

}  // namespace fencepost
