// How many tasks of a group have not ended, and the one thread that waits for them all.
//
//     1 + n      n tasks, and the owner, which has not begun to wait
//       |  wait(): the owner leaves a record of itself, and gives its 1 up
//       n        n tasks
//       |  leave(), of the last one: it finds the record, and wakes the owner
//       0        the owner continues, and restarts the count at 1
//
// The thread that brings the count to 0 is the last: if it is the owner, no wake-up is needed; if
// it runs a task, the owner's record is there. The record is on the owner's stack, and the count
// may be destroyed as soon as wait() has returned: a task that is not the last does nothing after
// it has left, and the last one touches only the record.
//
// Threads: one at a time, the owner, calls wait() and take_error(), outside the tasks of the group.
// The owner, or a thread that runs a task of the group, calls enter(). A thread that runs a task
// calls fail(), and leave(), once. Any: cancel(), cancelled().
//
// Claims (thread_pool/…): see task_group.hpp.
//
// Progress: all but wait() are wait-free, apart from the waking. Costs: one locked instruction for
// enter(), leave(), fail() and wait(), none for the rest; sleeping and waking cost more.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/core_latch.hpp"

namespace fencepost {

template <class P = default_atomics>
class group_count {
 public:
  using worker = typename pool_core<P>::worker;

  group_count() = default;
  group_count(const group_count&) = delete;
  group_count& operator=(const group_count&) = delete;

  // Counts one more task, which may begin, on any thread, after this.
  void enter() noexcept {
    // [enter] relaxed, alone: the caller, or the task that it runs, is counted, so the count does
    // not reach 0 meanwhile. The pool hands the task over.
    count_.fetch_add(1, std::memory_order_relaxed);
  }
  // Called when a task has ended. Everything before this call happens before the return of wait().
  void leave() noexcept;
  // In a task: keeps the exception, if it is the first since take_error().
  void fail(std::exception_ptr error) noexcept {
    // [fail] relaxed, alone: chooses one task; [leave] publishes its exception.
    if (!failed_.exchange(true, std::memory_order_relaxed)) error_.set(std::move(error));
  }

  // cancelled() returns true from now on, until take_error().
  // [cancel] relaxed, alone: only the flag is used; it publishes nothing.
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  // [cancelled] relaxed, alone: as above.
  bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

  // Returns once all tasks have left. `me`: the calling worker, which runs jobs of its pool
  // meanwhile; null for any other thread.
  void wait(worker* me) noexcept;
  // After that: returns the exception that was kept, if any, and discards it and a cancellation.
  std::exception_ptr take_error() noexcept {
    // [forget] relaxed, alone: tasks to come are handed over after this.
    failed_.store(false, std::memory_order_relaxed);
    // [forget.cancelled] relaxed, alone: likewise.
    cancelled_.store(false, std::memory_order_relaxed);
    return std::exchange(error_.write(), nullptr);
  }

 private:
  struct owner {
    explicit owner(worker* of) noexcept : me{of} {}
    const typename P::template plain<worker*> me;
    core_latch<P> latch;  // for a worker
    completion<P> ended;  // for another thread
  };

  typename P::template atomic<std::size_t> count_{1};
  typename P::template atomic<bool> failed_{false};
  typename P::template atomic<bool> cancelled_{false};
  typename P::template plain<std::exception_ptr> error_;
  typename P::template plain<owner*> owner_{nullptr};
};

template <class P>
void group_count<P>::leave() noexcept {
  // [leave] acq_rel, with [leave], [give_up]: the owner observes what all tasks did, through the
  // last one; and that one observes the owner's record.
  if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  owner& woken = *owner_.get();
  if (worker* const me = woken.me.get()) {
    me->pool().sleep().set_latch(woken.latch, me->index());
  } else {
    woken.ended.complete();
  }
}

template <class P>
void group_count<P>::wait(worker* me) noexcept {
  owner here{me};
  owner_.set(&here);
  // [give_up] acq_rel, with [leave]: publishes the record; if all tasks have left, what they did is
  // visible.
  if (count_.fetch_sub(1, std::memory_order_acq_rel) != 1) {
    if (me != nullptr) {
      me->pool().wait_until(*me, here.latch);
    } else {
      here.ended.wait();
    }
  }
  // [restart] relaxed, alone: no task is left, and those to come are handed over after this.
  count_.store(1, std::memory_order_relaxed);
}

}  // namespace fencepost
