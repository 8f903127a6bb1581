// Claims of thread_pool about an external job, for which its submitter waits or does not.
#pragma once

#include <memory>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::thread_pool_scenarios {

template <class P>
struct outside_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/outside_waits",
       .threads = 2,
       .claim =
           "an external job runs exactly once, and happens before its submitter's wait returns"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    {
      waited_job<P> job{pool, result};
      require(pool.inject(job.record()), "the pool is open");
      job.wait(nullptr);
      require(result.get() == 7, "the result is visible");
    }
    pool.close();
  }
};

// The handle is destroyed, perhaps before the job runs.
template <class P>
struct nobody_waits {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/nobody_waits",
       .threads = 2,
       .claim = "a job runs before the pool's destructor returns, even if its handle is gone"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    {
      waited_job<P> job{pool, result};
      require(pool.inject(job.record()), "the pool is open");
    }
    pool.close();
  }
  void after() { require(result.get() == 7, "the job ran"); }
};

// Like a job of post(), or that of a coroutine, which is in the coroutine's frame.
template <class P>
struct job_may_die_when_it_runs {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/job_may_die_when_it_runs",
       .threads = 2,
       .claim = "a job may be destroyed when it runs, even if its submission has not returned"});
  struct dying_job final : pool_job<P> {
    explicit dying_job(typename P::template plain<unsigned>& to)
        : pool_job<P>{&run_it}, result{to} {}
    static void run_it(pool_job<P>& job) noexcept {
      const std::unique_ptr<dying_job> me{static_cast<dying_job*>(&job)};
      me->result.set(7);
    }
    typename P::template plain<unsigned>& result;
  };
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  void thread(unsigned index) {
    if (index == 0) return pool.work(pool.at(0));
    require(pool.inject(*new dying_job{result}), "the pool is open");
    pool.close();
  }
  void after() { require(result.get() == 7, "the job ran"); }
};

}  // namespace fencepost::models::thread_pool_scenarios
