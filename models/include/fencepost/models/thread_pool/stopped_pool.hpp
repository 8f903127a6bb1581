// Claims of thread_pool about its end: jobs run or are refused, workers leave, and the pool may be
// destroyed early.
#pragma once

#include <memory>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/core_latch.hpp"

namespace fencepost::models::thread_pool_scenarios {

// A job that counts its runs.
template <class P>
struct traced_job final : pool_job<P> {
  traced_job() : pool_job<P>{&run_it} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<traced_job&>(job);
    me.runs.set(me.runs.get() + 1);
  }
  typename P::template plain<unsigned> runs{0u};
};

template <class P>
struct submit_against_stop {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/submit_against_stop",
       .threads = 3,
       .claim = "a stopping pool refuses an external job, or runs it before stop() returns"});
  pool_core<P> pool{1, at_once};
  traced_job<P> job;
  bool accepted = false;
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(pool.at(0));
    } else if (index == 1) {
      accepted = pool.inject(job);
    } else {
      pool.close();
    }
  }
  void after() { require(job.runs.get() == (accepted ? 1 : 0), "an accepted submission runs"); }
};

// Worker 0 has two jobs; the pool is closed already.
template <class P>
struct claim {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/claim",
                   .threads = 2,
                   .claim = "two workers run each of two jobs exactly once before they leave"});
  pool_core<P> pool{2, at_once};
  traced_job<P> jobs[2];
  void before() {
    for (auto& job : jobs) pool.push(pool.at(0), job);
    pool.close();
  }
  void thread(unsigned index) { pool.work(pool.at(index)); }
  void after() {
    for (auto& job : jobs) require(job.runs.get() == 1, "each job runs exactly once");
  }
};

// The only worker learns of the job by running it, and destroys the pool; the submitter may still
// be about to wake it.
template <class P>
struct destroyed_at_once {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/destroyed_at_once",
       .threads = 2,
       .claim = "the pool may be destroyed before the submitter of its last job has returned"});
  struct ending_job final : pool_job<P> {
    explicit ending_job(pool_core<P>& of) : pool_job<P>{&run_it}, pool{&of} {}
    static void run_it(pool_job<P>& job) noexcept {
      auto& me = static_cast<ending_job&>(job);
      me.pool->sleep().set_latch(me.learnt, 0);
    }
    pool_core<P>* pool;
    core_latch<P> learnt;
  };
  std::unique_ptr<pool_core<P>> pool = std::make_unique<pool_core<P>>(1, at_once);
  pool_core<P>* const seen = pool.get();
  ending_job job{*pool};
  void thread(unsigned index) {
    if (index == 0) {
      require(seen->inject(job), "the pool is open");
      return;
    }
    pool->work_until(pool->at(0), job.learnt);
    pool->close();
    pool.reset();
  }
};

template <class P>
struct two_workers_are_stopped {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/two_workers_are_stopped",
                   .threads = 3,
                   .claim = "two workers leave a stopped pool, whether asleep or about to sleep"});
  pool_core<P> pool{2, at_once};
  void thread(unsigned index) {
    if (index < 2) return pool.work(pool.at(index));
    pool.close();
  }
};

// One of the two workers is told to leave, and may be leaving during the submission: the submitter
// may rely on it, as on a worker that searches.
template <class P>
struct submit_while_a_worker_leaves {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/submit_while_a_worker_leaves",
       .threads = 3,
       .claim = "an external job runs although one of two workers leaves during its submission",
       .nightly = true});
  pool_core<P> pool{2, at_once};
  typename destroyed_at_once<P>::ending_job job{pool};  // the remaining thread waits for it
  core_latch<P> may_leave;
  void thread(unsigned index) {
    if (index == 2) {
      pool.sleep().set_latch(may_leave, 1);
      require(pool.inject(job), "the pool is open");
    } else {
      pool.work_until(pool.at(index), index == 0 ? job.learnt : may_leave);
    }
  }
};

}  // namespace fencepost::models::thread_pool_scenarios
