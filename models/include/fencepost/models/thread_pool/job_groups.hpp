// Claims of thread_pool about a group of tasks, as counted by its handle.
#pragma once

#include <atomic>
#include <memory>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/group_count.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::thread_pool_scenarios {

// Two tasks, both of which fail, and an owner outside the pool, which destroys the group at once.
template <class P>
struct group_may_die_after_the_wait {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/group_may_die_after_the_wait",
                   .threads = 3,
                   .claim = "after the wait for a group, everything that its tasks did is visible, "
                            "and the group may be destroyed"});
  std::unique_ptr<group_count<P>> group = std::make_unique<group_count<P>>();
  group_count<P>* const seen = group.get();
  typename P::template plain<unsigned> results[2];
  void before() {
    seen->enter();
    seen->enter();
  }
  void thread(unsigned index) {
    if (index < 2) {
      results[index].set(7);
      seen->fail(nullptr);
      seen->leave();
      return;
    }
    group->wait(nullptr);
    require(results[0].get() + results[1].get() == 14, "the results are visible");
    static_cast<void>(group->take_error());
    group.reset();
  }
};

// The owner that waits for the group is one of the pool's workers, asleep if necessary.
template <class P>
struct group_of_a_waiting_worker {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/group_of_a_waiting_worker",
                   .threads = 2,
                   .claim = "a worker that waits for a group is woken by its last task, and "
                            "observes what it did"});
  struct leaving_job final : pool_job<P> {
    explicit leaving_job(group_count<P>& of) : pool_job<P>{&run_it}, group{of} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<leaving_job&>(job);
      me.result.set(7);
      me.group.leave();
    }
    group_count<P>& group;
    typename P::template plain<unsigned> result{0u};
  };
  pool_core<P> pool{2, at_once};
  group_count<P> group;
  leaving_job job{group};
  void before() {
    group.enter();
    pool.push(pool.at(0), job);
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    group.wait(&pool.at(0));
    require(job.result.get() == 7, "the result is visible");
    pool.close();
  }
};

// A task adds another, hands it over, and ends; then the same count is used for a second group.
template <class P>
struct group_task_adds_another {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/group_task_adds_another",
                   .threads = 3,
                   .claim = "the wait for a group covers the tasks that its tasks add, and the "
                            "group can be used again"});
  group_count<P> group;
  typename P::template plain<unsigned> result{0u};
  typename P::template atomic<unsigned> handed_over{0};
  void before() { group.enter(); }
  void thread(unsigned index) {
    if (index == 0) {
      group.enter();
      handed_over.store(1, std::memory_order_release);
      group.leave();
    } else if (index == 1) {
      while (handed_over.load(std::memory_order_acquire) == 0) P::spin_pause();
      result.set(7);
      group.leave();
    } else {
      group.wait(nullptr);
      require(result.get() == 7, "the added task has ended");
      group.enter();
      group.leave();
      group.wait(nullptr);
    }
  }
};

// A task cancels the group, and hands another task over; then the group is used again.
template <class P>
struct cancelled_group_is_used_again {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/cancelled_group_is_used_again",
                   .threads = 3,
                   .claim = "a task added after the cancellation of its group finds the group "
                            "cancelled, and a task added after the wait does not"});
  group_count<P> group;
  typename P::template atomic<unsigned> handed_over{0};
  void before() { group.enter(); }
  void thread(unsigned index) {
    if (index == 0) {
      group.cancel();
      group.enter();
      handed_over.store(1, std::memory_order_release);
      group.leave();
    } else if (index == 1) {
      while (handed_over.load(std::memory_order_acquire) == 0) P::spin_pause();
      require(group.cancelled(), "the task is not to run");
      group.leave();
    } else {
      group.wait(nullptr);
      static_cast<void>(group.take_error());
      require(!group.cancelled(), "the next tasks are to run");
    }
  }
};

}  // namespace fencepost::models::thread_pool_scenarios
