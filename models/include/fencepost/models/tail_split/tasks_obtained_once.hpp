// Claims of the split deque about an owner and thieves that compete for tasks: each task is
// obtained exactly once.
#pragma once

#include "fencepost/models/tail_split/counted_deque.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::tail_split_scenarios {

template <class P, template <class> class Word>
struct steal_against_pop {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "steal_against_pop">,
               .threads = 2,
               .claim = "every task is obtained exactly once, by the owner or by the thief"};
  counted_deque<P, Word, 2, 5> deque;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 5; ++task) deque.push(task);
      for (unsigned task = 0; task < 5; ++task) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 4; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P, template <class> class Word>
struct last_task_contended {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "last_task_contended">,
               .threads = 3,
               .claim = "the last task goes to exactly one of the owner and two thieves",
               .symmetric = {.first = 1, .count = 2}};
  counted_deque<P, Word, 3, 1> deque;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// At first tasks 0 and 1 are private, and a thief has requested work: the next push shares both.
template <class P, template <class> class Word>
struct grow_against_steal {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "grow_against_steal">,
               .threads = 2,
               .claim = "sharing more tasks while a thief steals loses and duplicates none"};
  counted_deque<P, Word, 2, 3> deque;
  void before() {
    deque.unshare();
    deque.push(0);
    deque.push(1);
    require(deque.steal(1) == steal_outcome::no_work, "nothing is shared yet");
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(2);
      for (unsigned task = 0; task < 3; ++task) deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// At first all tasks are shared; the owner takes them back one half after the other.
template <class P, template <class> class Word, unsigned Tasks, unsigned Steals>
struct shrink_race {
  counted_deque<P, Word, 2, Tasks> deque;
  void before() {
    for (unsigned task = 0; task < Tasks; ++task) deque.push(task);
    deque.share_all();
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < Tasks; ++task) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < Steals; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// Seven tasks, five steals: the thief may pass the middle before the owner lowers the split to it,
// and leave enough tasks for the owner to share some of them, and for this to happen again.
template <class P, template <class> class Word>
struct shrink_against_steal : shrink_race<P, Word, 7, 5> {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "shrink_against_steal">,
               .threads = 2,
               .claim = "a task that the owner takes back is never stolen too"};
};

// The same with two thieves.
template <class P, template <class> class Word>
struct shrink_against_two_thieves {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "shrink_against_two_thieves">,
      .threads = 3,
      .claim = "a task that the owner takes back is never stolen too, however many others are",
      .symmetric = {.first = 1, .count = 2}};
  counted_deque<P, Word, 3, 5> deque;
  void before() {
    for (unsigned task = 0; task < 5; ++task) deque.push(task);
    deque.share_all();
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 5; ++task) deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// One thief steals once, the other twice; in two_thieves_larger (one more task) both steal twice.
template <class P, template <class> class Word>
struct two_thieves {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "two_thieves">,
               .threads = 3,
               .claim = "an owner and two thieves obtain every task exactly once"};
  counted_deque<P, Word, 3, 4> deque;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 4; ++task) deque.push(task);
      for (unsigned task = 0; task < 4; ++task) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < index; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The word changes from (0, 1) to (0, 0) or (1, 1) and back to (0, 1), with another task in the
// slot: a thief that was slow between its read and its exchange takes the second task, complete.
// Indices are numbers of slots and never wrap around; this is how a value of the word recurs.
template <class P, template <class> class Word>
struct word_comes_back {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "word_comes_back">,
      .threads = 2,
      .claim = "a slow thief takes the task that is now in the slot, never a stale one (ABA)"};
  counted_deque<P, Word, 2, 2> deque;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.pop();
      deque.push(1);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// While a thief has task 0, the owner continues above it, and afterwards in its slot.
template <class P, template <class> class Word>
struct push_above_stolen {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "push_above_stolen">,
               .threads = 2,
               .claim = "tasks pushed above stolen ones can be stolen and popped like any other"};
  counted_deque<P, Word, 2, 3> deque;
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      const bool own = deque.pop_own();
      deque.push(1);
      deque.pop();
      if (!own) deque.await_thief();
      deque.push(2);
      deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P, template <class> class Word>
struct full_deque_loses_nothing {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "full_deque_loses_nothing">,
               .threads = 2,
               .claim = "a full deque refuses a task and keeps those it has"};
  counted_deque<P, Word, 2, 3, 2> deque;  // three tasks, two slots
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.push(1);
      require(!deque.try_push(2), "a full deque refuses, stolen tasks included");
      deque.pop();
      require(deque.try_push(2), "there is room again");
      deque.pop();
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

}  // namespace fencepost::models::tail_split_scenarios
