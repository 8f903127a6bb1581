// Claims of fork_join about external tasks, and about a stopping pool, which refuses or runs
// them.
#pragma once

#include <atomic>

#include "fencepost/models/fork_join/stepped_core.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::fork_join_scenarios {

// A task that writes data which its submitter then reads.
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

// There is room for one external task; two are submitted concurrently, to a worker that does not
// sleep.
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
    bool ran = false;  // only the worker accesses it
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

// Two workers; the first external task does not end before the second has run.
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

// The task was submitted before; one worker runs it, while the other falls asleep, or is asleep
// already. The first takes no other step: two_workers_are_stopped checks how it would leave.
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

}  // namespace fencepost::models::fork_join_scenarios
