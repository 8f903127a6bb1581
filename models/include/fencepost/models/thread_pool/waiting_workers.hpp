// Claims of thread_pool about a worker that waits for a job in its own deque.
#pragma once

#include <optional>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_jobs.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::thread_pool_scenarios {

// A worker waits for a job in its deque, which the other may steal, asleep if necessary.
template <class P>
struct worker_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/worker_waits",
       .threads = 2,
       .claim = "a worker that waits for a job taken by another observes what the job did"});
  pool_core<P> pool{2, at_once};
  typename P::template plain<unsigned> result{0u};
  std::optional<waited_job<P>> job;
  void before() {
    job.emplace(pool, result);
    pool.push(pool.at(0), job->record());
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    job->wait(&pool.at(0));
    require(result.get() == 7, "the result is visible");
    job.reset();
    pool.close();
  }
};

// The job in the deque is stored with its waiter, and is destroyed right after the wait.
template <class P>
struct joined_job_may_die {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/joined_job_may_die",
                   .threads = 2,
                   .claim = "a job on the waiter's stack is not touched after the wait returns"});
  struct work {
    typename P::template plain<unsigned> runs{0u};
    void operator()() { runs.set(runs.get() + 1); }
  };
  pool_core<P> pool{2, at_once};
  work right;
  std::optional<joined_job<work&, P>> job;
  void before() {
    job.emplace(pool.at(0), right);
    pool.push(pool.at(0), *job);
  }
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    job->finish();
    job->rethrow();
    job.reset();
    require(right.runs.get() == 1, "the job ran exactly once");
    pool.close();
  }
};

// Like worker_waits, but the job is pushed while the other worker searches or falls asleep.
template <class P>
struct worker_submits_and_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/worker_submits_and_waits",
       .threads = 2,
       .claim = "a worker that waits for a job it has just pushed observes what the job did",
       .nightly = true});
  pool_core<P> pool{2, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 1) return pool.work(pool.at(1));
    {
      waited_job<P> job{pool, result};
      pool.push(pool.at(0), job.record());
      job.wait(&pool.at(0));
      require(result.get() == 7, "the result is visible");
    }
    pool.close();
  }
};

}  // namespace fencepost::models::thread_pool_scenarios
