// Claims of fork_join about sleeping workers: work that is shared, or that only a busy owner has,
// reaches them.
#pragma once

#include <atomic>
#include <optional>

#include "fencepost/models/fork_join/stepped_core.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::fork_join_scenarios {

// The owner does nothing until another worker has run its task.
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

// The second task is private until a thief requests work; its owner answers, and waits.
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

// One of three workers has a task, which is private until another requests it; a second worker
// looks at all others before it sleeps.
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

// Worker 0 shares two tasks at once, and wakes one worker; the first task that runs does not end
// before the second has run.
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

// Worker 1 requests work and falls asleep: perhaps when worker 0 has only one task, which is
// private and which it takes back and runs. The task that this one spawns is private too, and
// worker 0 does nothing else until worker 1 has run it.
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

// The first task is shared and has woken one of two sleeping workers, which is busy with it until
// the second task has run: that task is private, and no other worker is awake to request it.
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
  std::optional<spawned<long_task, worker_of<P>>> first;  // owned by worker 0
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

}  // namespace fencepost::models::fork_join_scenarios
