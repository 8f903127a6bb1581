// Claims of thread_pool about a job that submits itself again: it starves no other job.
#pragma once

#include <atomic>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/core_latch.hpp"

namespace fencepost::models::thread_pool_scenarios {

// Submits itself again to worker 0 until the others have run; then lets that worker leave.
template <class P>
struct self_submitting final : pool_job<P> {
  self_submitting(pool_core<P>& of, unsigned most) : pool_job<P>{&run_it}, pool{of}, left{most} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<self_submitting&>(job);
    if (me.others.load(std::memory_order_relaxed) == 0) {
      return me.pool.sleep().set_latch(me.done, 0);
    }
    require(me.left != 0, "the other jobs run before it has submitted itself so often");
    --me.left;
    me.pool.push(me.pool.at(0), me);
  }
  pool_core<P>& pool;
  unsigned left;                                    // unwatched: worker 0's
  typename P::template atomic<unsigned> others{0};  // the number of jobs that have not run yet
  core_latch<P> done;
};

// A job that waits behind the self-submitting one.
template <class P>
struct kept_waiting final : pool_job<P> {
  explicit kept_waiting(self_submitting<P>& by) : pool_job<P>{&run_it}, behind{by} {
    by.others.fetch_add(1, std::memory_order_relaxed);
  }
  static void run_it(pool_job<P>& job) noexcept {
    static_cast<kept_waiting&>(job).behind.others.fetch_sub(1, std::memory_order_relaxed);
  }
  self_submitting<P>& behind;
};

// One worker, with an older job in its deque, and an external job.
template <class P, unsigned OutOfTurn>
struct starving_jobs {
  pool_core<P> pool{1, at_once, OutOfTurn};
  self_submitting<P> again{pool, 3 * (OutOfTurn + 1)};
  kept_waiting<P> older{again}, external{again};
  typename P::template atomic<bool> injected{false};
  void thread(unsigned index) {
    if (index == 1) {
      require(pool.inject(external), "the pool is open");
      injected.store(true, std::memory_order_release);
      return;
    }
    pool.push(pool.at(0), older);
    while (!injected.load(std::memory_order_acquire)) P::spin_pause();
    pool.push(pool.at(0), again);
    pool.work_until(pool.at(0), again.done);
  }
};

template <class P>
struct self_submitting_job : starving_jobs<P, 2> {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/self_submitting_job",
       .threads = 2,
       .claim = "a job that submits itself again starves no external job, and no older one"});
};

// Worker 1 has a job in its deque, and does nothing until it has run.
template <class P>
struct self_submitting_job_beside_a_busy_worker {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/self_submitting_job_beside_a_busy_worker",
                   .threads = 2,
                   .claim = "a job that submits itself again starves no job of a busy worker"});
  pool_core<P> pool{2, at_once, 1};
  self_submitting<P> again{pool, 3 * 2};
  kept_waiting<P> of_the_other{again};
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 1) {
      pool.push(pool.at(1), of_the_other);
      pushed.store(true, std::memory_order_release);
      while (again.others.load(std::memory_order_relaxed) != 0) P::spin_pause();
      return;
    }
    while (!pushed.load(std::memory_order_acquire)) P::spin_pause();
    pool.push(pool.at(0), again);
    pool.work_until(pool.at(0), again.done);
  }
};

}  // namespace fencepost::models::thread_pool_scenarios
