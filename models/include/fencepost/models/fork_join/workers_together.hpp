// Claims of fork_join about operations of all workers, and about the frames in which they run.
#pragma once

#include <array>

#include "fencepost/models/fork_join/stepped_core.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::fork_join_scenarios {

// The thief of a task calls together() in it, while the owner waits for the task.
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

// Worker 1 tries to steal the task twice: during the operation of all workers, where the task is
// hidden, and afterwards.
template <class P>
struct frame_keeps_tasks_apart {
  static constexpr auto about = undisturbed(
      {.name = "fork_join/frame_keeps_tasks_apart",
       .threads = 2,
       .claim = "no worker in a frame takes a task spawned before it, and none is lost"});
  stepped_core<P> pool{2};
  typename P::template plain<unsigned> runs{0u};
  bool in_frame[2] = {};  // by worker; only that worker accesses its element
  bool joined = false;    // only worker 1 accesses it
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

}  // namespace fencepost::models::fork_join_scenarios
