// Claims of the split deque about a stolen task's slot, in which the owner finds the thief and the
// thief's result.
#pragma once

#include <atomic>

#include "fencepost/deque/tail_split.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::tail_split_scenarios {

// A thief runs the task and overwrites it with the result.
template <class P, template <class> class Word>
struct result_reaches_owner {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "result_reaches_owner">,
      .threads = 2,
      .claim = "a thief observes the complete task, and the owner the thief's complete result"};
  tail_split<unsigned, P, Word> deque{1};
  void thread(unsigned index) {
    if (index != 0) {
      if (auto* slot = deque.steal(this).task) {
        slot->task.set(slot->task.get() + 1);
        slot->complete();
      }
      return;
    }
    require(deque.try_push(20), "there is room");
    if (auto* slot = deque.pop()) {
      require(slot->task.get() == 20, "the task is the one that was pushed");
      return;
    }
    while (!deque.top().completed()) P::spin_pause();
    require(deque.top().task.get() == 21, "the result is the one of the thief");
    deque.retire();
  }
};

// One slot, used by two tasks in turn: each may be stolen.
template <class P, template <class> class Word>
struct slot_is_used_again {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "slot_is_used_again">,
      .threads = 2,
      .claim = "the result in a slot is that of its last task, even if earlier ones were stolen"};
  tail_split<unsigned, P, Word> deque{1};
  void thread(unsigned index) {
    for (unsigned task = 0; task < 2; ++task) {
      if (index == 0) {
        run(20 + task);
      } else if (auto* slot = deque.steal(this).task) {
        slot->task.set(slot->task.get() + 10);
        slot->complete();
      }
    }
  }
  void run(unsigned task) {
    require(deque.try_push(task), "there is room");
    if (auto* slot = deque.pop()) {
      require(slot->task.get() == task, "the task is the one that was pushed");
      return;
    }
    while (!deque.top().completed()) P::spin_pause();
    require(deque.top().task.get() == task + 10, "the result is the one of the thief");
    deque.retire();
  }
};

// The owner of a stolen task waits until it knows the thief, and the thief until the owner does.
template <class P, template <class> class Word>
struct owner_finds_thief {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "owner_finds_thief">,
      .threads = 2,
      .claim = "the slot of a stolen task eventually names its thief, which is fully constructed"};
  struct worker {
    typename P::template plain<unsigned> number;
    typename P::template atomic<bool> found{false};
  };
  tail_split<unsigned, P, Word> deque{1};
  worker thief;

  void before() {
    thief.number.set(7);
    require(deque.try_push(0), "there is room");
  }
  void thread(unsigned index) {
    if (index != 0) {
      auto* slot = deque.steal(&thief).task;
      if (slot == nullptr) return;
      while (!thief.found.load(std::memory_order_relaxed)) P::spin_pause();
      slot->complete();
    } else if (deque.pop() == nullptr) {
      auto& stolen = deque.top();
      while (stolen.thief() == nullptr) P::spin_pause();
      auto& found = *static_cast<worker*>(stolen.thief());
      require(found.number.get() == 7, "the slot names the thief that stole the task");
      found.found.store(true, std::memory_order_relaxed);
      while (!stolen.completed()) P::spin_pause();
      deque.retire();
    }
  }
};

// The owner waits for a stolen task by stealing from its thief: the name that it finds in the slot
// leads to the thief's worker, and thus to a task that the thief has pushed meanwhile.
template <class P, template <class> class Word>
struct leapfrog {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "leapfrog">,
               .threads = 2,
               .claim = "the owner of a stolen task finds its thief, and can help it"};
  struct worker {
    tail_split<unsigned, P, Word> deque{1};
    unsigned ran = 0;
  };
  worker owner, thief;

  void before() { require(owner.deque.try_push(1), "there is room"); }
  void thread(unsigned index) {
    if (index == 0) {
      const unsigned result = sync(owner);
      require(result == 1 || result == 11 || result == 111, "the result is complete");
    } else if (auto* parent = owner.deque.steal(&thief).task) {
      require(thief.deque.try_push(10), "there is room");
      parent->task.set(parent->task.get() + sync(thief));
      parent->complete();
    }
  }
  // Runs the worker's only task, or obtains its result from the thief, which it helps meanwhile.
  static unsigned sync(worker& self) {
    if (auto* slot = self.deque.pop()) {
      ++self.ran;
      return slot->task.get();
    }
    auto& stolen = self.deque.top();
    while (!stolen.completed() && stolen.thief() == nullptr) P::spin_pause();
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
      if (auto* name = stolen.thief()) help(self, *static_cast<worker*>(name));
    }
    while (!stolen.completed()) P::spin_pause();
    const unsigned result = stolen.task.get();
    self.deque.retire();
    return result;
  }
  static void help(worker& self, worker& thief) {
    if (auto* slot = thief.deque.steal(&self).task) {
      ++self.ran;
      slot->task.set(slot->task.get() + 100);
      slot->complete();
    }
  }
  void after() {
    require(owner.ran + thief.ran == 1, "the task pushed last runs exactly once");
    require(owner.deque.empty() && thief.deque.empty(), "every task is done");
  }
};

}  // namespace fencepost::models::tail_split_scenarios
