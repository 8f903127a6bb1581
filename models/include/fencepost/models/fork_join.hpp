// What the loops of fork_join claim: its core, on the threads of the runner, whose workers sleep as
// soon as they have looked everywhere. fork_join_faults.hpp has what must be violated.
//
// Thread 0 is in a task of worker 0, or the submitter; the others are workers that have none.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/models/scenario_list.hpp"
#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/scenario.hpp"

namespace fencepost::models {

namespace fork_join_scenarios {

// A core with short deques, without scratch memory.
template <class P>
struct small_core : fork_join_core<P> {
  explicit small_core(std::uint32_t workers, bool leapfrog = true)
      : fork_join_core<P>{workers,
                          2,
                          {.reserve = 0},
                          {.leapfrog = leapfrog,
                           .random_steals = false,
                           .attempts = 0,
                           .spins = spin_for_ever}} {}
};

template <class P>
using worker_of = typename fork_join_core<P>::worker;

template <class P>
struct stolen_result {
  static constexpr auto about =
      scenario{.name = "fork_join/stolen_result",
               .threads = 2,
               .claim = "who syncs gets the whole result, whether or not the task was stolen",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
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
    require(during.get() == 2, "what the task did is visible");
    pool.close();
  }
};

template <class P>
struct stolen_exception {
  static constexpr auto about =
      scenario{.name = "fork_join/stolen_exception",
               .threads = 2,
               .claim = "who syncs is thrown what the task threw, whether or not it was stolen",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
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

// The thief's task spawns another, and waits until that has been stolen in its turn: only the
// worker that waits for the thief can do that.
template <class P>
struct leapfrogging {
  static constexpr auto about = scenario{.name = "fork_join/leapfrogging",
                                         .threads = 2,
                                         .claim = "who waits for its thief steals from it",
                                         .spurious_failures = 0,
                                         .spurious_wakeups = 0,
                                         .timeouts = 0};
  small_core<P> pool{2};
  typename P::template atomic<bool> inner_ran{false};
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    auto outer = me.spawn([this](worker_of<P>& mine) noexcept {
      auto inner = mine.spawn([this](worker_of<P>&) noexcept {
        runs.set(runs.get() + 1);
        inner_ran.store(true, std::memory_order_relaxed);
      });
      if (mine.index() == 1) {
        while (!inner_ran.load(std::memory_order_relaxed)) P::spin_pause();
      }
      mine.sync(inner);
    });
    me.sync(outer);
    require(runs.get() == 1, "the inner task is run once");
    pool.close();
  }
};

template <class P>
struct drop_against_theft {
  static constexpr auto about =
      scenario{.name = "fork_join/drop_against_theft",
               .threads = 2,
               .claim = "a task that is dropped is over when drop() returns, run or not",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    auto task = me.spawn([this](worker_of<P>&) noexcept { runs.set(runs.get() + 1); });
    me.drop(task);
    require(runs.get() <= 1, "it is run once at most");
    runs.set(9);
    pool.close();
  }
  void after() { require(runs.get() == 9, "it is not run afterwards"); }
};

// The worker does nothing until another has run its task.
template <class P>
struct sleeper_is_woken {
  static constexpr auto about =
      scenario{.name = "fork_join/sleeper_is_woken",
               .threads = 2,
               .claim = "a worker that sleeps is woken by the first task that is shared",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{2, false};
  typename P::template atomic<bool> ran{false};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    auto task =
        me.spawn([this](worker_of<P>&) noexcept { ran.store(true, std::memory_order_relaxed); });
    while (!ran.load(std::memory_order_relaxed)) P::spin_pause();
    me.sync(task);
    pool.close();
  }
};

// The second task is private until a thief has asked; the worker that has it answers, and waits.
template <class P>
struct sleeper_is_answered {
  static constexpr auto about =
      scenario{.name = "fork_join/sleeper_is_answered",
               .threads = 2,
               .claim = "a worker that has asked before it sleeps is woken by the answer",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{2, false};
  typename P::template atomic<bool> ran{false};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    auto first = me.spawn([](worker_of<P>&) noexcept {});
    auto second =
        me.spawn([this](worker_of<P>&) noexcept { ran.store(true, std::memory_order_relaxed); });
    while (!ran.load(std::memory_order_relaxed)) {
      me.poll();
      P::spin_pause();
    }
    me.sync(second);
    me.sync(first);
    pool.close();
  }
};

// A task that writes, for whoever waits on thread 0.
template <class P>
struct submitted_task : fork_join_core<P>::submission {
  using base = typename fork_join_core<P>::submission;
  submitted_task() : base{&run_it} {}
  static void run_it(base& self, worker_of<P>&) noexcept {
    auto& runs = static_cast<submitted_task&>(self).runs;
    runs.set(runs.get() + 1);
  }
  typename P::template plain<unsigned> runs{0u};
};

template <class P>
struct outside_waits {
  static constexpr auto about =
      scenario{.name = "fork_join/outside_waits",
               .threads = 2,
               .claim = "a task from outside is run once, and who waits for it sees what it did",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{1};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(0));
    {
      submitted_task<P> task;
      require(pool.submit(task), "the pool is open");
      task.wait(0);
      require(task.runs.get() == 1, "the task was run");
    }
    pool.close();
  }
};

template <class P>
struct submit_against_stop {
  static constexpr auto about = scenario{
      .name = "fork_join/submit_against_stop",
      .threads = 3,
      .claim = "a task from outside is refused by a pool that stops, or run before that has ended",
      .spurious_failures = 0,
      .spurious_wakeups = 0,
      .timeouts = 0};
  small_core<P> pool{1};
  submitted_task<P> task;
  bool accepted = false;
  void thread(unsigned index) {
    if (index == 0) {
      accepted = pool.submit(task);
      if (accepted) task.wait(0);
    } else if (index == 1) {
      pool.work(pool.at(0));
    } else {
      pool.close();
    }
  }
  void after() { require(task.runs.get() == (accepted ? 1 : 0), "it is run if it was accepted"); }
};

template <class P>
struct together {
  static constexpr auto about =
      scenario{.name = "fork_join/together",
               .threads = 2,
               .claim = "what all do together each worker does once, and all have seen it after it",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> times[2] = {typename P::template plain<unsigned>{0u},
                                                   typename P::template plain<unsigned>{0u}};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    pool.at(0).together([this](worker_of<P>& mine) noexcept {
      times[mine.index()].set(times[mine.index()].get() + 1);
    });
    for (const auto& t : times) require(t.get() == 1, "each worker has done it once");
    pool.close();
  }
};

template <class P>
struct new_frame {
  static constexpr auto about =
      scenario{.name = "fork_join/new_frame",
               .threads = 2,
               .claim = "all workers are in a new frame until it is done, and go on after it",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    const unsigned result = pool.at(0).new_frame([this](worker_of<P>&) noexcept {
      runs.set(runs.get() + 1);
      return 7u;
    });
    require(result == 7 && runs.get() == 1, "it is run once");
    pool.close();
  }
};

template <class P>
struct new_frame_hides {
  static constexpr auto about = scenario{.name = "fork_join/new_frame_hides",
                                         .threads = 2,
                                         .claim = "a new frame hides what was spawned before",
                                         .spurious_failures = 0,
                                         .spurious_wakeups = 0,
                                         .timeouts = 0,
                                         .nightly = true};
  small_core<P> pool{2, false};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    typename P::template plain<unsigned> hidden_runs{0u};
    auto hidden = me.spawn([&](worker_of<P>&) noexcept { hidden_runs.set(hidden_runs.get() + 1); });
    me.new_frame([&](worker_of<P>&) noexcept {
      const unsigned begun = hidden_runs.get();
      for (unsigned look = 0; look < 2; ++look) {
        require(hidden_runs.get() == begun, "nobody runs what is hidden");
      }
    });
    me.sync(hidden);
    require(hidden_runs.get() == 1, "it is run once");
    pool.close();
  }
};

// The task was submitted before; one worker runs it, while the other falls asleep, or has.
template <class P>
struct last_task_lets_all_leave {
  static constexpr auto about =
      scenario{.name = "fork_join/last_task_lets_all_leave",
               .threads = 3,
               .claim = "workers that sleep while the pool closes leave when the last task is done",
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  small_core<P> pool{2, false};
  submitted_task<P> task;
  void before() { require(pool.submit(task), "the pool is open"); }
  void thread(unsigned index) {
    if (index < 2) {
      pool.work(pool.at(index));
    } else {
      pool.close();
    }
  }
  void after() { require(task.runs.get() == 1, "the task was run"); }
};

}  // namespace fork_join_scenarios

using fork_join_list =
    scenario_list<fork_join_scenarios::stolen_result, fork_join_scenarios::stolen_exception,
                  fork_join_scenarios::leapfrogging, fork_join_scenarios::drop_against_theft,
                  fork_join_scenarios::sleeper_is_woken, fork_join_scenarios::sleeper_is_answered,
                  fork_join_scenarios::outside_waits, fork_join_scenarios::submit_against_stop,
                  fork_join_scenarios::together, fork_join_scenarios::new_frame,
                  fork_join_scenarios::new_frame_hides,
                  fork_join_scenarios::last_task_lets_all_leave>;

}  // namespace fencepost::models
