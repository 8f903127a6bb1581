// bun, pull request 28907 (2026): a thread pool's notify() loses a wake-up on ARM.
//
// The worker pool has a word that says whether a notification is pending. A thread that schedules a
// task pushes it and calls notify(), which first checks, with a relaxed load, whether a
// notification is already pending, and returns if so: some worker is about to look at the queue.
// Nothing orders the push before that load. On a stale `notified` the scheduler returns, while the
// worker that has consumed the notification looks at the queue before the push, finds nothing, and
// sleeps. On x86 the push is a locked instruction, and the bug does not show; on ARM, promises were
// left pending for ever.
//
// Repair: the check is a release read-modify-write that changes nothing. It has a position in the
// modification order of the word: if it reads `notified`, the exchange by which a worker clears it
// comes later, and acquires the push. As the pull request says, a sequentially consistent load is
// not enough; a sequentially consistent fence is, if the worker has one as well.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/policy.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

namespace bun_notify {

enum class look { relaxed, seq_cst, after_fence, read_modify_write };

// One worker; `queue` is the number of its tasks.
template <class P, look Look>
struct pool {
  static constexpr std::uint32_t idle = 0, notified = 1;
  typename P::template atomic<std::uint32_t> state{notified};  // because of an earlier task
  typename P::template atomic<unsigned> queue{0};

  void schedule() {
    queue.fetch_add(1, std::memory_order_release);
    notify();
  }
  void notify() {
    if (pending()) return;
    std::uint32_t expected = idle;
    if (state.compare_exchange_strong(expected, notified, std::memory_order_release,
                                      std::memory_order_relaxed)) {
      P::futex_wake(state, 1);
    }
  }
  bool pending() {
    switch (Look) {
      case look::relaxed: return state.load(std::memory_order_relaxed) == notified;
      case look::seq_cst: return state.load(std::memory_order_seq_cst) == notified;
      case look::after_fence:
        P::fence(std::memory_order_seq_cst);
        return state.load(std::memory_order_relaxed) == notified;
      case look::read_modify_write: break;
    }
    return state.fetch_or(0, std::memory_order_release) == notified;
  }

  // Consumes a notification and looks at the queue, until there is a task.
  void work() {
    for (;;) {
      std::uint32_t expected = notified;
      while (!state.compare_exchange_strong(expected, idle, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
        P::futex_wait(state, idle, no_deadline);
        expected = notified;
      }
      if (Look == look::after_fence) P::fence(std::memory_order_seq_cst);
      if (queue.load(std::memory_order_relaxed) != 0) return;
    }
  }
};

template <class P, look Look>
struct task_is_run {
  pool<P, Look> workers;
  void thread(unsigned index) {
    if (index == 0) {
      workers.work();
    } else {
      workers.schedule();
    }
  }
};

template <class P>
struct relaxed_look : task_is_run<P, look::relaxed> {
  static constexpr auto about =
      scenario{.name = "known_bugs/bun_notify",
               .threads = 2,
               .claim = "a scheduled task runs although notify() returns early if one is pending",
               .expected = violation::liveness};
};

template <class P>
struct seq_cst_look : task_is_run<P, look::seq_cst> {
  static constexpr auto about = scenario{.name = "known_bugs/bun_notify_seq_cst",
                                         .threads = 2,
                                         .claim = "the same with a sequentially consistent load",
                                         .expected = violation::liveness};
};

template <class P>
struct repaired : task_is_run<P, look::read_modify_write> {
  static constexpr auto about = scenario{
      .name = "known_bugs/bun_notify_repaired",
      .threads = 2,
      .claim = "a scheduled task runs if notify() reads the flag with a read-modify-write"};
};

template <class P>
struct repaired_by_fences : task_is_run<P, look::after_fence> {
  static constexpr auto about =
      scenario{.name = "known_bugs/bun_notify_repaired_by_fences",
               .threads = 2,
               .claim = "a scheduled task runs if both sides have a sequentially consistent fence"};
};

}  // namespace bun_notify

using bun_notify_list = scenario_list<bun_notify::relaxed_look, bun_notify::seq_cst_look,
                                      bun_notify::repaired, bun_notify::repaired_by_fences>;

}  // namespace fencepost::models::known_bugs
