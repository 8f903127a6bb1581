// Claims of fork_join about a task that its owner waits for, takes back or drops, stolen or not.
#pragma once

#include "fencepost/models/fork_join/stepped_core.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::fork_join_scenarios {

template <class P>
struct stolen_result {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/stolen_result",
       .threads = 2,
       .claim = "sync() returns the complete result, whether or not the task was stolen"});
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> before{0u}, during{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    before.set(1);
    auto task = me.spawn([this](worker_of<P>&) noexcept {
      during.set(before.get() + 1);
      return 7u;
    });
    require(me.sync(task) == 7, "the result is the task's");
    require(during.get() == 2, "what the task wrote is visible");
    pool.close();
  }
};

template <class P>
struct stolen_exception {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/stolen_exception",
       .threads = 2,
       .claim = "sync() rethrows the task's exception, whether or not the task was stolen"});
  small_core<P> pool{2, false};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    auto task = me.spawn([](worker_of<P>&) -> int { throw 7; });
    int thrown = 0;
    try {
      me.sync(task);
    } catch (int what) {
      thrown = what;
    }
    require(thrown == 7, "the exception is the task's");
    pool.close();
  }
};

// The stolen task spawns another, and waits until that one has been stolen in its turn, which only
// the worker that waits for the thief can do.
template <class P>
struct leapfrogging {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/leapfrogging",
       .threads = 2,
       .claim = "a worker that waits for its thief steals from that thief (leapfrogging)"});
  stepped_core<P> pool{2, true};
  told<P> inner_ran;
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return static_cast<void>(pool.steal_once(1, 0));
    worker_of<P>& me = pool.at(0);
    auto outer = me.spawn([this](worker_of<P>& mine) noexcept {
      auto inner = mine.spawn([this](worker_of<P>&) noexcept {
        runs.set(runs.get() + 1);
        inner_ran.tell();
      });
      while (mine.index() == 1 && !inner_ran()) P::spin_pause();
      mine.sync(inner);
    });
    me.sync(outer);
    require(runs.get() == 1, "the inner task runs exactly once");
  }
};

template <class P>
struct drop_against_theft {
  static constexpr auto about =
      undisturbed({.name = "fork_join/drop_against_theft",
                   .threads = 2,
                   .claim = "a dropped task has finished or will never run once drop() returns"});
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    auto task = me.spawn([this](worker_of<P>&) noexcept { runs.set(runs.get() + 1); });
    me.drop(task);
    require(runs.get() <= 1, "the task runs at most once");
    runs.set(9);
    pool.close();
  }
  void after() { require(runs.get() == 9, "the task does not run after drop()"); }
};

// Two tasks are shared and taken back, one after the other: the split is raised and lowered while
// another worker steals.
template <class P, fork_join_word Word>
struct shared_and_taken_back {
  static constexpr fork_join_features features{.word = Word};
  using worker = typename fork_join_core<P, features>::worker;
  stepped_core<P, features> pool{2};
  typename P::template plain<unsigned> runs[2] = {typename P::template plain<unsigned>{0u},
                                                  typename P::template plain<unsigned>{0u}};
  void thread(unsigned index) {
    if (index == 1) return static_cast<void>(pool.steal_once(1, 0));
    worker& me = pool.at(0);
    auto first = me.spawn([this](worker&) noexcept { run(0); });
    auto second = me.spawn([this](worker&) noexcept { run(1); });
    me.share();
    me.sync(second);
    me.sync(first);
    require(runs[0].get() == 1 && runs[1].get() == 1, "each task runs once, and is visible");
  }
  void run(unsigned task) noexcept { runs[task].set(runs[task].get() + 1); }
};
template <class P>
struct tasks_are_taken_back : shared_and_taken_back<P, fork_join_word::whole> {
  static constexpr auto about =
      undisturbed({.name = "fork_join/tasks_are_taken_back",
                   .threads = 2,
                   .claim = "of two shared tasks that their owner takes back each runs once"});
};
template <class P>
struct taken_back_by_halves : shared_and_taken_back<P, fork_join_word::halves> {
  static constexpr auto about =
      undisturbed({.name = "fork_join/taken_back_by_halves",
                   .threads = 2,
                   .claim = "the same on a word whose split is stored by itself"});
};

}  // namespace fencepost::models::fork_join_scenarios
