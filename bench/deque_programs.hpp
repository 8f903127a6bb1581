// Work-stealing deques as programs to time the checker on: an owner, thread 0, and thieves.
#pragma once

#include <cstdint>

#include "checker_programs.hpp"
#include "fencepost/deque/tail_split.hpp"
#include "fixed_chase_lev.hpp"

namespace fencepost::bench {

// How often each thread obtained each task; each row belongs to one thread.
template <unsigned Threads, unsigned Tasks>
struct tally {
  unsigned times[Threads][Tasks] = {};

  void count(unsigned thread, unsigned task) {
    require(task < Tasks, "a task is one that was pushed");
    ++times[thread][task];
  }
  void each_once() const {
    for (unsigned task = 0; task < Tasks; ++task) {
      unsigned sum = 0;
      for (const auto& row : times) sum += row[task];
      require(sum == 1, "every task is obtained once");
    }
  }
};

// The owner pushes three tasks and takes three times; a thief steals once. Executions: GenMC's
// count for the same program.
template <unsigned Thieves>
struct chase_lev_steal {
  static constexpr auto about = scenario{.name = "chase_lev", .threads = Thieves + 1};
  static constexpr std::uint64_t executions = Thieves == 2 ? 840 : Thieves == 3 ? 28'777 : 0;
  static constexpr unsigned tasks = 3;
  chase_lev<policy, tasks> deque;
  tally<Thieves + 1, tasks> obtained;

  void thread(unsigned index) {
    if (index != 0) {
      keep(index, deque.steal());
      return;
    }
    for (unsigned task = 0; task < tasks; ++task) deque.push(task);
    for (unsigned task = 0; task < tasks; ++task) keep(index, deque.take());
  }
  void keep(unsigned thread, unsigned task) {
    if (task != deque.none) obtained.count(thread, task);
  }
  void after() { obtained.each_once(); }
};

// The owner pushes tasks and pops them all, waiting for those that were stolen; a thief tries to
// steal several times. Executions: no other checker has counted them.
template <template <class> class Word, unsigned Tasks, unsigned Thieves, unsigned Steals>
struct tail_split_steal {
  static constexpr auto about = scenario{.name = "tail_split", .threads = Thieves + 1};
  static constexpr std::uint64_t executions = 0;
  tail_split<unsigned, policy, Word> deque{Tasks};
  tally<Thieves + 1, Tasks> obtained;

  void thread(unsigned index) {
    if (index != 0) {
      for (unsigned attempt = 0; attempt < Steals; ++attempt) steal(index);
      return;
    }
    for (unsigned task = 0; task < Tasks; ++task) deque.push(task);
    for (unsigned task = 0; task < Tasks; ++task) pop();
  }
  void steal(unsigned thief) {
    auto* slot = deque.steal(this).task;
    if (slot == nullptr) return;
    obtained.count(thief, slot->task.get());
    slot->complete();
  }
  void pop() {
    if (auto* slot = deque.pop()) {
      obtained.count(0, slot->task.get());
      return;
    }
    while (!deque.top().completed()) policy::spin_pause();
    deque.retire();
  }
  void after() { obtained.each_once(); }
};

}  // namespace fencepost::bench
