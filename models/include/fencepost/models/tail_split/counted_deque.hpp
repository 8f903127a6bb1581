// A split deque that counts how often its tasks are obtained, for the scenarios in which each must
// be obtained exactly once.
#pragma once

#include "fencepost/deque/tail_split.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::tail_split_scenarios {

// Counts how often each thread obtained each task. Only the thread of a row writes it, in plain
// memory; after() reads all rows.
template <class P, template <class> class Word, unsigned Threads, unsigned Tasks,
          unsigned Capacity = Tasks>
class counted_deque {
 public:
  bool try_push(unsigned task) { return deque_.try_push(task); }
  void push(unsigned task) { require(try_push(task), "there is room"); }

  // Called by the owner: pops a task, or retires a stolen one when its thief has completed it.
  void pop() {
    if (!pop_own()) await_thief();
  }
  // Returns false if the task is stolen; it then remains until await_thief().
  bool pop_own() {
    const auto* slot = deque_.pop();
    if (slot != nullptr) count(0, slot->task.get());
    return slot != nullptr;
  }
  void await_thief() {
    while (!deque_.top().completed()) P::spin_pause();
    deque_.retire();
  }

  // Called by the thief of this number: tries once to steal a task.
  steal_outcome steal(unsigned thread) {
    const auto [result, slot] = deque_.steal(this);
    if (slot != nullptr) {
      count(thread, slot->task.get());
      slot->complete();
    }
    return result;
  }

  void answer() { deque_.answer(); }
  void share_all() { deque_.share_all(); }
  // Brings the empty deque to a state in which the next task pushed is private.
  void unshare() {
    push(0);
    require(deque_.pop() != nullptr, "no thief is active");
  }

  void each_once() const {
    for (unsigned task = 0; task < Tasks; ++task) {
      unsigned times = 0;
      for (const auto& row : obtained_) times += row[task];
      require(times != 0, "no task is lost");
      require(times < 2, "no task is obtained twice");
    }
    require(deque_.empty(), "the deque is empty at the end");
  }

 private:
  void count(unsigned thread, unsigned task) {
    require(task < Tasks, "every task obtained was pushed");
    ++obtained_[thread][task];
  }

  tail_split<unsigned, P, Word> deque_{Capacity};
  unsigned obtained_[Threads][Tasks] = {};
};

}  // namespace fencepost::models::tail_split_scenarios
