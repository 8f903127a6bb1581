// A work-stealing deque whose tasks lie on the call stack: a Chase-Lev deque of pointers to them.
//
//   owner's frame                       deque                 thief
//     task  <------------------------- pointer  -----------> steal(), run_stolen()
//     push(task), ..., pop(task)                                   |
//       true: run it here                                          | complete()
//       false: wait for its flag <---------------------------------+
//
// A task lies in the frame that spawned it, which does not end before the task has been taken back
// or is done: nothing is allocated, a task and its result have any size, and neither is moved. A
// thief may hold a pointer to a task whose frame has ended, which is harmless: it accesses the task
// only after its exchange has succeeded, and that compares an index that never recurs, not the
// pointer.
//
// Tasks are taken back in the reverse order of the pushes. So if the newest was stolen, all were: a
// pop finds the task that was pushed last, or nothing.
//
// Threads: one thread, the owner, calls push() and pop(), and done() and wait() of its tasks;
// others, steal() and run_stolen(), each on the task that it has stolen. Construction and
// destruction of the deque happen before and after all.
//
// Claims (each a scenario, call_stack_deque/…):
//   every task runs exactly once, and its owner sees the result      result_comes_back,
//                                                                    nested_frames
//   ... though another task lies at the same address                 address_comes_back
//   the frame may end once the task is done                          frame_may_end
//   an owner that sleeps until its task is done is woken             owner_sleeps
//
// Ordering: for any threads X and Y: everything sequenced before X's push() happens before Y runs
// the task; everything that Y does in it happens before X's done() returns true, or wait() returns.
// Progress: push, pop and steal as the deque's; wait() blocks.
// Costs: those of the deque (chase_lev), and one locked instruction for each task that was stolen.
// A task is a pointer and four bytes, and its own data. Source: D. Chase and Y. Lev (2005). The
// lace.rs paper mentions tasks on the call stack as future work that needs a tag beside the index;
// an index of 64 bits needs none (docs/findings/lace-rs.md, LRS-27).
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/sync/completion.hpp"

namespace fencepost {

// The part of a task that its thief uses: the class of a task derives from it, or contains it.
template <class Worker, class P = default_atomics>
class stack_task {
 public:
  using action = void (*)(stack_task& task, Worker& by) noexcept;
  explicit stack_task(action run) noexcept : run_{run} {}
  stack_task(const stack_task&) = delete;
  stack_task& operator=(const stack_task&) = delete;

  // Thief that has stolen the task. The task's frame may have ended on return.
  void run_stolen(Worker& by) noexcept {
    run_.get()(*this, by);
    done_.complete();
  }
  // Owner, after a pop() that returned false. If true, the thief does not access the task any more,
  // and what it did is visible.
  bool done() const noexcept { return done_.done(); }
  // Owner, likewise. Returns once the task is done; sleeps after `spins` polls.
  void wait(std::uint32_t spins = completion<P>::default_spins) noexcept { done_.wait(spins); }

 private:
  const typename P::template plain<action> run_;
  completion<P> done_;
};

// Deque: holds pointers to tasks; chase_lev or private_deque.
template <class Worker, class P = default_atomics,
          class Deque = chase_lev<stack_task<Worker, P>*, P>>
class call_stack_deque {
 public:
  using task = stack_task<Worker, P>;

  // Takes what Deque's constructor takes, and throws what it throws.
  template <class... Arguments>
  explicit call_stack_deque(Arguments&&... arguments)
      : deque_{std::forward<Arguments>(arguments)...} {}

  // Owner. Lets others steal the task, until pop(). Throws what Deque's push() throws, and then
  // nothing has changed: run the task instead.
  void push(task& newest) { deque_.push(&newest); }
  // Owner; `newest` is the newest task that was pushed and not popped. Returns true if it is the
  // caller's, to run or to discard; false if it was stolen, and then the frame must not end before
  // it is done.
  [[nodiscard]] bool pop([[maybe_unused]] task& newest) noexcept {
    const auto found = deque_.pop();
    assert((!found || *found == &newest) && "tasks are popped in the reverse order of the pushes");
    return found.has_value();
  }

  // Thief. Takes and returns what Deque's steal() does. Call run_stolen() on a stolen task.
  template <class... Arguments>
  [[nodiscard]] auto steal(Arguments&&... arguments) noexcept {
    return deque_.steal(std::forward<Arguments>(arguments)...);
  }

  // The deque of pointers, for its further operations, such as a private_deque's poll().
  Deque& pointers() noexcept { return deque_; }

 private:
  Deque deque_;  // unwatched: it watches itself.
};

}  // namespace fencepost
