// A work-stealing deque whose tasks lie on the call stack: a Chase-Lev deque of pointers to them.
//
//   owner's frame                       deque                 thief
//     task  <------------------------- pointer  -----------> steal(), run_stolen()
//     push(task), ..., pop(task)                                   |
//       true: run it here                                          | complete()
//       false: wait for its flag <---------------------------------+
//
// A task is in the frame that spawned it, which does not end before the task has been taken back or
// is done: nothing is allocated, a task and its result have any size, and neither is moved. A thief
// may hold a pointer to a task whose frame is gone, which is harmless: it accesses the task only
// after its exchange has succeeded, and that compares an index that never recurs, not the pointer.
//
// Tasks are taken back in the reverse order of the pushes. So if the newest is gone, all are: a pop
// finds the task that was pushed last, or nothing.
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
// A task is a pointer and four bytes, and what it works on. Source: D. Chase and Y. Lev (2005). The
// lace.rs paper has tasks on the call stack as future work that needs a tag beside the index; an
// index of 64 bits needs none (docs/findings/lace-rs.md, LRS-27).
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/sync/completion.hpp"

namespace fencepost {

// What a task has for its thief: a class of its own derives from it, or contains it.
template <class Worker, class P = default_atomics>
class stack_task {
 public:
  using action = void (*)(stack_task& task, Worker& by) noexcept;
  explicit stack_task(action run) noexcept : run_{run} {}
  stack_task(const stack_task&) = delete;
  stack_task& operator=(const stack_task&) = delete;

  // Thief, which has stolen it. The task's frame may be gone on return.
  void run_stolen(Worker& by) noexcept {
    run_.get()(*this, by);
    done_.complete();
  }
  // Owner, after a pop() that returned false. True: the thief does not touch the task any more, and
  // what it did is visible.
  bool done() const noexcept { return done_.done(); }
  // Owner, likewise. Returns once it is done; sleeps after `spins` looks.
  void wait(std::uint32_t spins = completion<P>::default_spins) noexcept { done_.wait(spins); }

 private:
  const typename P::template plain<action> run_;
  completion<P> done_;
};

// Deque: of pointers to tasks, chase_lev or private_deque.
template <class Worker, class P = default_atomics,
          class Deque = chase_lev<stack_task<Worker, P>*, P>>
class call_stack_deque {
 public:
  using task = stack_task<Worker, P>;

  // What Deque's constructor takes, and throws.
  template <class... Arguments>
  explicit call_stack_deque(Arguments&&... arguments)
      : deque_{std::forward<Arguments>(arguments)...} {}

  // Owner. Lets others take the task, until pop(). Throws what Deque's push does, and nothing has
  // changed: run it instead.
  void push(task& newest) { deque_.push(&newest); }
  // Owner; of the tasks pushed and not popped, this is the newest. True: it is the caller's, to be
  // run or left. False: it was stolen, and the frame must not end before it is done.
  [[nodiscard]] bool pop([[maybe_unused]] task& newest) noexcept {
    const auto found = deque_.pop();
    assert((!found || *found == &newest) && "tasks are popped in the reverse order of the pushes");
    return found.has_value();
  }

  // Thief. What Deque's steal() takes and returns; an item that was stolen is for run_stolen().
  template <class... Arguments>
  [[nodiscard]] auto steal(Arguments&&... arguments) noexcept {
    return deque_.steal(std::forward<Arguments>(arguments)...);
  }

  // The deque of pointers, for what it has beside this: a private_deque's poll().
  Deque& pointers() noexcept { return deque_; }

 private:
  Deque deque_;  // unwatched: it watches itself.
};

}  // namespace fencepost
