// What the loops of fork_join claim: its core, on the threads of the runner, whose workers sleep as
// soon as they have looked everywhere. faults.hpp has what must be violated.
//
// Thread 0 is in a task of worker 0, or the submitter; the others are workers that have none.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace fork_join_scenarios {

// A core with short deques, without scratch memory.
template <class P, fork_join_features Features = fork_join_features{}>
struct small_core : fork_join_core<P, Features> {
  explicit small_core(std::uint32_t workers, bool leapfrog = true)
      : fork_join_core<P, Features>{workers,
                                    2,
                                    {.reserve = 0},
                                    {.leapfrog = leapfrog,
                                     .random_steals = false,
                                     .attempts = 0,
                                     .spins = spin_for_ever}} {}
};

template <class P>
using worker_of = typename fork_join_core<P>::worker;

// A core whose threads take only some of a worker's steps.
template <class P, fork_join_features Features = fork_join_features{}>
struct stepped_core : small_core<P, Features> {
  explicit stepped_core(std::uint32_t workers, bool leapfrog = false)
      : small_core<P, Features>{workers, leapfrog} {}
  // One attempt; what is stolen is run.
  bool steal_once(unsigned thief, unsigned victim) {
    const auto stolen = this->steal(this->at(thief), this->at(victim));
    this->run_stolen(this->at(thief), stolen);
    return stolen.task != nullptr;
  }
  // Returns when so many workers have looked for work in vain, and sleep or are about to.
  void await_sleepers(unsigned count) {
    while (this->sleepers().sleepers() != count) P::spin_pause();
  }
  // Sleeps until somebody wakes it, whatever there is.
  void sleep_once() { this->sleepers().wait(this->sleepers().prepare_wait()); }
  // Before the threads begin: a worker has looked for work in vain, and is about to sleep.
  void announce_sleeper() { announced_ = this->sleepers().prepare_wait(); }
  // That worker: sleeps until somebody wakes it.
  void sleep_announced() { this->sleepers().wait(announced_); }
  bool run_submitted_once(unsigned index) { return this->run_submitted(this->at(index)); }
  // What work() does, but for the end.
  template <class Done>
  void work_until(unsigned index, Done done) {
    this->look_for_work(this->at(index), done, true);
  }
  // Leaves the deque of a worker so that what it spawns next is private.
  void unshare(unsigned index) {
    auto& owner = this->at(index);
    owner.sync(owner.spawn([](typename small_core<P, Features>::worker&) noexcept {}));
  }

 private:
  typename event_count<P>::ticket announced_{};  // unwatched: set before the threads begin.
};

// What several threads tell each other: that a task has run.
template <class P>
class told {
 public:
  void tell() noexcept { flag_.store(true, std::memory_order_relaxed); }
  bool operator()() const noexcept { return flag_.load(std::memory_order_relaxed); }

 private:
  typename P::template atomic<bool> flag_{false};
};

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

// The thief's task spawns another, and waits until that has been stolen in its turn: only the
// worker that waits for the thief can do that.
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

// The worker does nothing until another has run its task.
template <class P>
struct sleeper_is_woken {
  static constexpr auto about =
      undisturbed({.name = "fork_join/sleeper_is_woken",
                   .threads = 2,
                   .claim = "a sleeping worker is woken by the first task that is shared"});
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
      undisturbed({.name = "fork_join/sleeper_is_answered",
                   .threads = 2,
                   .claim = "a worker that requests work before it sleeps is woken by the answer"});
  stepped_core<P> pool{2};
  told<P> ran;
  void thread(unsigned index) {
    if (index == 1) return pool.work_until(1, [this]() noexcept { return ran(); });
    worker_of<P>& me = pool.at(0);
    auto first = me.spawn([](worker_of<P>&) noexcept {});
    auto second = me.spawn([this](worker_of<P>&) noexcept { ran.tell(); });
    while (!ran()) {
      me.poll();
      P::spin_pause();
    }
    me.sync(second);
    me.sync(first);
  }
};

// Of three workers one has a task, which is private until it has been asked for, and another looks
// at all before it sleeps.
template <class P, unsigned Owner, unsigned Thief>
struct last_look_sees_all {
  stepped_core<P> pool{3};
  told<P> ran;
  void before() { pool.unshare(Owner); }
  void thread(unsigned index) {
    if (index == 1) return pool.work_until(Thief, [this]() noexcept { return ran(); });
    worker_of<P>& me = pool.at(Owner);
    auto task = me.spawn([this](worker_of<P>&) noexcept { ran.tell(); });
    while (!ran()) {
      me.poll();
      P::spin_pause();
    }
    me.sync(task);
  }
};
template <class P>
struct last_look_sees_the_first : last_look_sees_all<P, 0, 2> {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/last_look_sees_the_first",
       .threads = 2,
       .claim = "a worker requests work from the first of three others before it sleeps"});
};
template <class P>
struct last_look_sees_the_next : last_look_sees_all<P, 1, 0> {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/last_look_sees_the_next",
       .threads = 2,
       .claim = "a worker requests work from the second of three others before it sleeps"});
};
template <class P>
struct last_look_sees_the_last : last_look_sees_all<P, 2, 0> {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/last_look_sees_the_last",
       .threads = 2,
       .claim = "a worker requests work from the last of three others before it sleeps"});
};

// Worker 0 shares two tasks at once, and wakes one worker; the first that runs is not over before
// the second has run.
template <class P>
struct thief_wakes_for_the_rest {
  static constexpr auto about =
      undisturbed({.name = "fork_join/thief_wakes_for_the_rest",
                   .threads = 3,
                   .claim = "two tasks that are shared at once reach two sleeping workers",
                   .symmetric = {.first = 1, .count = 2}});
  stepped_core<P> pool{3};
  told<P> ran;
  typename P::template atomic<bool> shared{false};
  void before() { pool.unshare(0); }
  void thread(unsigned index) {
    if (index != 0) {
      pool.sleep_once();
      while (!shared.load(std::memory_order_acquire)) P::spin_pause();
      if (!pool.steal_once(index, 0)) pool.steal_once(index, 0);  // another was faster
      return;
    }
    pool.await_sleepers(2);
    worker_of<P>& me = pool.at(0);
    auto first = me.spawn([this](worker_of<P>&) noexcept {
      while (!ran()) P::spin_pause();
    });
    auto second = me.spawn([this](worker_of<P>&) noexcept { ran.tell(); });
    me.share();
    shared.store(true, std::memory_order_release);
    while (!ran()) P::spin_pause();
    me.sync(second);
    me.sync(first);
  }
};

// Worker 1 asks and falls asleep: perhaps when worker 0 has but one task, private, which it takes
// back to run it. What that spawns is private too, and worker 0 does nothing else until worker 1
// has run it.
template <class P>
struct sleeper_gets_private_work {
  static constexpr auto about =
      undisturbed({.name = "fork_join/sleeper_gets_private_work",
                   .threads = 2,
                   .claim = "a sleeping worker obtains work that only a busy owner has"});
  stepped_core<P> pool{2};
  told<P> ran;
  void before() { pool.unshare(0); }
  void thread(unsigned index) {
    if (index == 1) return pool.work_until(1, [this]() noexcept { return ran(); });
    worker_of<P>& me = pool.at(0);
    auto task = me.spawn([this](worker_of<P>& mine) noexcept { be_busy(mine); });
    me.sync(task);
  }
  void be_busy(worker_of<P>& mine) noexcept {
    if (mine.index() == 1) return ran.tell();  // stolen: worker 0 has nothing left
    auto inner = mine.spawn([this](worker_of<P>&) noexcept { ran.tell(); });
    while (!ran()) {
      mine.poll();
      P::spin_pause();
    }
    mine.sync(inner);
  }
};

// The first task is shared, and of two workers that slept it has woken one, which is busy with it
// until the second task has run: that one is private, and nobody else is there to ask for it.
template <class P>
struct every_sleeper_gets_work {
  static constexpr auto about =
      undisturbed({.name = "fork_join/every_sleeper_gets_work",
                   .threads = 3,
                   .claim = "work that only a busy owner has reaches a second sleeping worker"});
  struct long_task {
    every_sleeper_gets_work* all;
    void operator()(worker_of<P>&) noexcept {
      all->begun.tell();
      while (!all->ran()) P::spin_pause();
    }
  };
  stepped_core<P> pool{3};
  told<P> begun, ran;
  std::optional<spawned<long_task, worker_of<P>>> first;  // worker 0's
  void before() {
    first.emplace(pool.at(0).spawn(long_task{this}));
    pool.announce_sleeper();
  }
  void thread(unsigned index) {
    if (index == 1) {
      while (!pool.steal_once(1, 0)) P::spin_pause();
    } else if (index == 2) {
      pool.sleep_announced();
      while (!ran()) {
        if (!pool.steal_once(2, 0)) P::spin_pause();
      }
    } else {
      while (!begun()) P::spin_pause();
      be_busy(pool.at(0));
    }
  }
  void be_busy(worker_of<P>& me) {
    auto second = me.spawn([this](worker_of<P>&) noexcept { ran.tell(); });
    while (!ran()) {
      me.poll();
      P::spin_pause();
    }
    me.sync(second);
    me.sync(*first);
  }
};

// The thief of the task brings all together, while its owner waits for it.
template <class P>
struct waiting_worker_joins {
  static constexpr auto about =
      undisturbed({.name = "fork_join/waiting_worker_joins",
                   .threads = 2,
                   .claim = "a worker that waits for a thief joins an operation of all workers"});
  stepped_core<P> pool{2};
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return static_cast<void>(pool.steal_once(1, 0));
    worker_of<P>& me = pool.at(0);
    auto task = me.spawn([this](worker_of<P>& mine) noexcept {
      if (mine.index() == 0) return;
      mine.together([this](worker_of<P>& each) noexcept {
        if (each.index() == 0) runs.set(runs.get() + 1);
      });
      require(runs.get() == 1, "the waiting worker has done its part");
    });
    me.sync(task);
  }
};

// While all do something together worker 1 tries to steal; it may have done so before, and may
// after.
template <class P>
struct frame_keeps_tasks_apart {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/frame_keeps_tasks_apart",
       .threads = 2,
       .claim = "no worker in a frame takes a task spawned before it, and none is lost"});
  stepped_core<P> pool{2};
  typename P::template plain<unsigned> runs{0u};
  bool in_frame[2] = {};  // by worker; its own
  bool joined = false;    // worker 1's
  void thread(unsigned index) {
    if (index == 1) {
      while (!joined) {
        pool.at(1).poll();
        P::spin_pause();
      }
      return static_cast<void>(pool.steal_once(1, 0));
    }
    worker_of<P>& me = pool.at(0);
    auto task = me.spawn([this](worker_of<P>& mine) noexcept {
      require(!in_frame[mine.index()], "a hidden task does not run");
      runs.set(runs.get() + 1);
    });
    me.together([this](worker_of<P>& each) noexcept {
      in_frame[each.index()] = true;
      if (each.index() == 1) {
        joined = true;
        pool.steal_once(1, 0);
      }
      in_frame[each.index()] = false;
    });
    me.sync(task);
    require(runs.get() == 1, "the task runs exactly once");
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
  static constexpr auto about = undisturbed(
      {.name = "fork_join/outside_waits",
       .threads = 2,
       .claim =
           "an external task runs exactly once, and happens before its submitter's wait returns"});
  small_core<P> pool{1};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(0));
    {
      submitted_task<P> task;
      require(pool.submit(task), "the pool is open");
      task.wait(0);
      require(task.runs.get() == 1, "the task ran");
    }
    pool.close();
  }
};

// There is room for one task from outside; two come at once, to a worker that does not sleep.
template <class P>
struct submitter_waits_for_room {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/submitter_waits_for_room",
       .threads = 3,
       .claim = "a submitter that finds no room for its task is woken once there is room",
       .symmetric = {.first = 0, .count = 2}});
  static constexpr fork_join_features room_for_one{.submissions = 1};
  using core = stepped_core<P, room_for_one>;
  struct task : core::submission {
    task() : core::submission{&run_it} {}
    static void run_it(typename core::submission& self, typename core::worker&) noexcept {
      static_cast<task&>(self).ran = true;
    }
    bool ran = false;  // the worker's
  };
  core pool{1};
  task tasks[2];
  void thread(unsigned index) {
    if (index < 2) {
      require(pool.submit(tasks[index]), "the pool is open");
    } else {
      while (!tasks[0].ran || !tasks[1].ran) {
        if (!pool.run_submitted_once(0)) P::spin_pause();
      }
    }
  }
};

// Two workers; the first task from outside is not over before the second has run.
template <class P>
struct two_submissions {
  static constexpr auto about =
      undisturbed({.name = "fork_join/two_submissions",
                   .threads = 3,
                   .claim = "each of two external tasks reaches a sleeping worker"});
  static constexpr fork_join_features room_for_two{.submissions = 2};
  using core = stepped_core<P, room_for_two>;
  struct task : core::submission {
    explicit task(two_submissions& of) : core::submission{&run_it}, all{of} {}
    static void run_it(typename core::submission& self, typename core::worker&) noexcept {
      static_cast<task&>(self).run();
    }
    void run() noexcept {
      if (this == &all.second) return all.ran.tell();
      while (!all.ran()) P::spin_pause();
    }
    two_submissions& all;
  };
  core pool{2};
  told<P> ran;
  typename P::template atomic<bool> given{false};
  task first{*this}, second{*this};
  void thread(unsigned index) {
    if (index < 2) {
      pool.sleep_once();
      while (!given.load(std::memory_order_acquire)) P::spin_pause();
      if (!pool.run_submitted_once(index)) pool.run_submitted_once(index);  // another was faster
      return;
    }
    pool.await_sleepers(2);
    require(pool.submit(first) && pool.submit(second), "the pool is open");
    given.store(true, std::memory_order_release);
  }
};

template <class P>
struct submit_against_stop {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/submit_against_stop",
       .threads = 3,
       .claim = "a stopping pool refuses an external task, or runs it before stop() returns"});
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
  void after() { require(task.runs.get() == (accepted ? 1 : 0), "an accepted submission runs"); }
};

template <class P>
struct together {
  static constexpr auto about =
      undisturbed({.name = "fork_join/together",
                   .threads = 2,
                   .claim = "each worker runs an operation of all workers exactly "
                            "once, and observes the others' part after it"});
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> times[2] = {typename P::template plain<unsigned>{0u},
                                                   typename P::template plain<unsigned>{0u}};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    pool.at(0).together([this](worker_of<P>& mine) noexcept {
      times[mine.index()].set(times[mine.index()].get() + 1);
    });
    for (const auto& t : times) require(t.get() == 1, "each worker ran it exactly once");
    pool.close();
  }
};

template <class P>
struct all_meet {
  static constexpr auto about =
      undisturbed({.name = "fork_join/all_meet",
                   .threads = 2,
                   .claim = "in an operation of all workers, each observes after meet() what the "
                            "others did before it"});
  small_core<P> pool{2, false};
  std::array<typename P::template plain<unsigned>, 2> parts{};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    pool.at(0).together([this](worker_of<P>& mine) noexcept {
      parts[mine.index()].set(mine.index() + 1);
      mine.meet();
      require(parts[1 - mine.index()].get() == 2 - mine.index(), "the other's part is visible");
    });
    pool.close();
  }
};

template <class P>
struct new_frame {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/new_frame",
       .threads = 2,
       .claim = "all workers stay in a new frame until its task is done, and continue after it"});
  small_core<P> pool{2, false};
  typename P::template plain<unsigned> runs{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    const unsigned result = pool.at(0).new_frame([this](worker_of<P>&) noexcept {
      runs.set(runs.get() + 1);
      return 7u;
    });
    require(result == 7 && runs.get() == 1, "the task runs exactly once");
    pool.close();
  }
};

template <class P>
struct new_frame_hides {
  static constexpr auto about =
      undisturbed({.name = "fork_join/new_frame_hides",
                   .threads = 2,
                   .claim = "a new frame hides the tasks spawned before it",
                   .nightly = true});
  small_core<P> pool{2, false};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    worker_of<P>& me = pool.at(0);
    typename P::template plain<unsigned> hidden_runs{0u};
    auto hidden = me.spawn([&](worker_of<P>&) noexcept { hidden_runs.set(hidden_runs.get() + 1); });
    me.new_frame([&](worker_of<P>&) noexcept {
      const unsigned begun = hidden_runs.get();
      for (unsigned look = 0; look < 2; ++look) {
        require(hidden_runs.get() == begun, "no worker runs a hidden task");
      }
    });
    me.sync(hidden);
    require(hidden_runs.get() == 1, "the task runs exactly once");
    pool.close();
  }
};

// The task was submitted before; one worker runs it, while the other falls asleep, or has. The
// first takes no other step: how it would leave is two_workers_are_stopped's.
template <class P>
struct last_task_lets_all_leave {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/last_task_lets_all_leave",
       .threads = 3,
       .claim = "workers asleep while the pool closes leave once the last task is done"});
  stepped_core<P> pool{2};
  submitted_task<P> task;
  void before() { require(pool.submit(task), "the pool is open"); }
  void thread(unsigned index) {
    if (index == 0) {
      pool.run_submitted_once(0);
    } else if (index == 1) {
      pool.work(pool.at(1));
    } else {
      pool.close();
    }
  }
  void after() { require(task.runs.get() == 1, "the task ran"); }
};

template <class P>
struct two_workers_are_stopped {
  static constexpr auto about =
      undisturbed({.name = "fork_join/two_workers_are_stopped",
                   .threads = 3,
                   .claim = "two workers leave a stopped pool, whether asleep or about to sleep",
                   .symmetric = {.first = 0, .count = 2}});
  small_core<P> pool{2};
  void thread(unsigned index) {
    if (index < 2) return pool.work(pool.at(index));
    pool.close();
  }
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

}  // namespace fork_join_scenarios

using fork_join_claims_list = lists<
    scenario_list<
        fork_join_scenarios::stolen_result, fork_join_scenarios::stolen_exception,
        fork_join_scenarios::leapfrogging, fork_join_scenarios::drop_against_theft,
        fork_join_scenarios::sleeper_is_woken, fork_join_scenarios::sleeper_is_answered,
        fork_join_scenarios::sleeper_gets_private_work,
        fork_join_scenarios::every_sleeper_gets_work, fork_join_scenarios::last_look_sees_the_first,
        fork_join_scenarios::last_look_sees_the_next, fork_join_scenarios::last_look_sees_the_last,
        fork_join_scenarios::thief_wakes_for_the_rest, fork_join_scenarios::waiting_worker_joins,
        fork_join_scenarios::frame_keeps_tasks_apart, fork_join_scenarios::outside_waits,
        fork_join_scenarios::submitter_waits_for_room, fork_join_scenarios::two_submissions,
        fork_join_scenarios::submit_against_stop, fork_join_scenarios::together,
        fork_join_scenarios::all_meet, fork_join_scenarios::new_frame,
        fork_join_scenarios::new_frame_hides, fork_join_scenarios::last_task_lets_all_leave,
        fork_join_scenarios::two_workers_are_stopped, fork_join_scenarios::tasks_are_taken_back>,
    needs_halves<scenario_list<fork_join_scenarios::taken_back_by_halves>>>;

}  // namespace fencepost::models
