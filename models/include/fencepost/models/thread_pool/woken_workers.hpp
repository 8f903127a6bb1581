// Claims of thread_pool about sleeping workers: work reaches them.
#pragma once

#include <atomic>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/core_latch.hpp"

namespace fencepost::models::thread_pool_scenarios {

// A job that notifies all workers but worker 0 when it has run, so that they may leave.
template <class P, unsigned Workers>
struct last_job final : pool_job<P> {
  explicit last_job(pool_core<P>& of) : pool_job<P>{&run_it}, pool{of} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<last_job&>(job);
    me.ran.store(true, std::memory_order_relaxed);
    for (unsigned worker = 1; worker < Workers; ++worker) {
      me.pool.sleep().set_latch(me.heard[worker], worker);
    }
  }
  void await() {
    while (!ran.load(std::memory_order_relaxed)) P::spin_pause();
  }
  pool_core<P>& pool;
  typename P::template atomic<bool> ran{false};
  core_latch<P> heard[Workers];
};

// Worker 0 has a job in its deque, and does nothing until another worker has run it.
template <class P>
struct sleeper_gets_pushed_work {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/sleeper_gets_pushed_work",
                   .threads = 2,
                   .claim = "a sleeping worker obtains work that only a busy owner has"});
  pool_core<P> pool{2, at_once};
  last_job<P, 2> job{pool};
  void before() {  // a post that no worker has answered yet: the next does not change the counters
    pool.push(pool.at(0), job);
    require(pool.pop(pool.at(0)) == &job, "no other worker took the job");
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work_until(pool.at(1), job.heard[1]);
    pool.push(pool.at(0), job);
    job.await();
  }
};

// The same with a second worker, which has found an earlier job and is busy with it until the other
// worker has run this one: it does not count as searching. The two workers fall asleep one after
// the other.
template <class P>
struct second_sleeper_gets_pushed_work {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/second_sleeper_gets_pushed_work",
       .threads = 3,
       .claim = "work reaches a sleeping worker even if another worker found some before"});
  struct long_job final : pool_job<P> {
    explicit long_job(last_job<P, 3>& next) : pool_job<P>{&run_it}, until{next} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<long_job&>(job);
      me.begun.store(true, std::memory_order_relaxed);
      me.until.await();
    }
    last_job<P, 3>& until;
    typename P::template atomic<bool> begun{false};
  };
  pool_core<P> pool{3, at_once};
  last_job<P, 3> second{pool};
  long_job first{second};
  void thread(unsigned index) {
    await_sleepers(index == 0 ? 2 : index - 1);
    if (index != 0) return pool.work_until(pool.at(index), second.heard[index]);
    pool.push(pool.at(0), first);
    while (!first.begun.load(std::memory_order_relaxed)) P::spin_pause();
    pool.push(pool.at(0), second);
    second.await();
  }
  void await_sleepers(unsigned count) {
    while (pool.sleep().counters().sleeping() != count) P::spin_pause();
  }
};

// Two workers search for the only job, which is external.
template <class P>
struct two_workers_one_job {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/two_workers_one_job",
       .threads = 2,
       .claim =
           "of two workers one runs an external job, and the other is notified, asleep or not"});
  struct heard_job final : pool_job<P> {
    explicit heard_job(pool_core<P>& of) : pool_job<P>{&run_it}, pool{of} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<heard_job&>(job);
      me.runs.set(me.runs.get() + 1);
      for (unsigned worker = 0; worker < 2; ++worker) {
        me.pool.sleep().set_latch(me.heard[worker], worker);
      }
    }
    pool_core<P>& pool;
    typename P::template plain<unsigned> runs{0u};
    core_latch<P> heard[2];
  };
  pool_core<P> pool{2, at_once};
  heard_job job{pool};
  void before() { require(pool.inject(job), "the pool is open"); }
  void thread(unsigned index) { pool.work_until(pool.at(index), job.heard[index]); }
  void after() { require(job.runs.get() == 1, "the job runs exactly once"); }
};

}  // namespace fencepost::models::thread_pool_scenarios
