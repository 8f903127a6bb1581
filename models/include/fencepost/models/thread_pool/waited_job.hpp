// Shared by the scenarios of thread_pool.
#pragma once

#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/waitable_job.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost::models::thread_pool_scenarios {

inline constexpr sleep_options at_once{.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};

// A deadline that no clock reaches: the checker decides when a sleep times out.
struct some_day : never_due {
  constexpr operator deadline() const noexcept { return no_deadline - deadline::duration{1}; }
};

// A job that writes a result, and the handle to it.
template <class P>
class waited_job {
 public:
  waited_job(pool_core<P>& pool, typename P::template plain<unsigned>& result)
      : job_{new job{pool, set{&result}}} {}
  waited_job(const waited_job&) = delete;
  waited_job& operator=(const waited_job&) = delete;
  ~waited_job() { job_->release(); }
  pool_job<P>& record() noexcept { return *job_; }
  void refused() noexcept { job_->release(); }
  void wait(typename pool_core<P>::worker* me) { job_->wait(me); }
  // A wait that may time out, on a worker or outside the pool.
  [[nodiscard]] bool wait_for_a_time(typename pool_core<P>::worker* me) {
    return job_->wait_until(me, some_day{});
  }
  [[nodiscard]] bool follow(job_follower& next) { return job_->follow(next); }

  struct set {
    typename P::template plain<unsigned>* result;
    void operator()() const { result->set(result->get() + 7); }
  };

 private:
  using job = submitted_job<set, void, P>;
  job* job_;
};

}  // namespace fencepost::models::thread_pool_scenarios
