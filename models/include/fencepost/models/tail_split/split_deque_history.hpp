// A split deque that records its operations, and the claims that their results are linearizable.
#pragma once

#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/deque/tail_split.hpp"
#include "fencepost/models/tail_split/specification.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::tail_split_scenarios {

// Records the operations of each thread.
template <class P, template <class> class Word, unsigned Threads, unsigned Capacity>
class recorded_deque {
 public:
  static constexpr unsigned owner = 0, main = history<split_deque>::main;

  void push(unsigned task, unsigned thread = owner) {
    operations_.run(thread, {action::push, task}, [&]() -> result {
      return {deque_.try_push(task) ? answer::done : answer::full};
    });
  }
  void share_all() { deque_.share_all(); }

  // Takes a task, or waits for a stolen one and retires it.
  void pop(unsigned thread = owner) {
    if (deque_.empty()) return;
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      const auto* slot = deque_.pop();
      if (slot == nullptr) return {answer::gone};
      return {answer::task, slot->task.get()};
    });
    if (r.kind != answer::gone) return;
    while (!deque_.top().completed()) P::spin_pause();
    operations_.run(thread, {action::retire}, [&]() -> result {
      deque_.retire();
      return {};
    });
  }
  void steal(unsigned thread) {
    decltype(deque_.steal(this).task) slot = nullptr;
    operations_.run(thread, {action::steal}, [&]() -> result {
      const auto theft = deque_.steal(this);
      slot = theft.task;
      switch (theft.outcome) {
        case steal_outcome::no_work: return {answer::no_work};
        case steal_outcome::retry: return {answer::busy};
        case steal_outcome::stolen: return {answer::stolen, slot->task.get()};
        case steal_outcome::stolen_last: return {answer::stolen_last, slot->task.get()};
      }
      return {};
    });
    if (slot != nullptr) slot->complete();
  }

  // Called at the end: the remaining tasks become part of the history.
  void is_explained() {
    while (!deque_.empty()) pop(main);
    require_linearizable(operations_, split_deque{.capacity = Capacity});
  }

 private:
  using action = split_deque::action;
  using answer = split_deque::answer;
  using result = split_deque::result;

  tail_split<unsigned, P, Word> deque_{Capacity};
  history<split_deque> operations_{Threads};
};

// Two slots for three tasks; stolen tasks are retired, and the deque starts over.
template <class P, template <class> class Word>
struct linearizable {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "linearizable">,
               .threads = 2,
               .claim = "the results of an owner and a thief are linearizable"};
  recorded_deque<P, Word, 2, 2> deque;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
      deque.push(2);
      deque.push(3);
      deque.pop();
      deque.pop();
      deque.push(4);
      deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 3; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.is_explained(); }
};

// Everything is shared at first, and the owner takes it back.
template <class P, template <class> class Word, unsigned Steals = 1>
struct all_are_after_two_tasks {
  recorded_deque<P, Word, 3, 2> deque;
  void before() {
    deque.push(1, deque.main);
    deque.push(2, deque.main);
    deque.share_all();
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
      deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < Steals; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.is_explained(); }
};
template <class P, template <class> class Word>
struct linearizable_with_two_thieves : all_are_after_two_tasks<P, Word, 2> {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "linearizable_with_two_thieves">,
               .threads = 3,
               .claim = "the results of an owner and two thieves are linearizable"};
};

}  // namespace fencepost::models::tail_split_scenarios
