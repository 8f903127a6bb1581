// What thread_pool claims of a wait for a job that has a deadline.
#pragma once

#include "fencepost/models/thread_pool/following_jobs.hpp"
#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::thread_pool_scenarios {

constexpr scenario once_timed_out(scenario about) {
  about.spurious_failures = 0;
  about.spurious_wakeups = 0;
  about.timeouts = 1;
  return about;
}

template <class P>
struct timed_out_wait_is_repeated {
  static constexpr auto about = once_timed_out(
      {.name = "thread_pool/timed_out_wait_is_repeated",
       .threads = 2,
       .claim = "a wait that times out leaves nothing behind, and one that does not is the end of "
                "the job; a second wait is woken"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  waited_job<P> job{pool, result};
  void thread(unsigned index) {
    if (index == 0) return job.record().run();
    if (!job.wait_for_a_time()) job.wait(nullptr);
    require(result.get() == 7, "the result is visible");
  }
};

template <class P>
struct timed_out_wait_is_followed : follower_comes_after_the_job<P> {
  static constexpr auto about =
      once_timed_out({.name = "thread_pool/timed_out_wait_is_followed",
                      .threads = 2,
                      .claim = "a job may be followed after a wait that has timed out"});
  void thread(unsigned index) {
    if (index == 0) return this->job.record().run();
    if (this->job.wait_for_a_time() || !this->job.follow(this->next)) this->next.come();
  }
};

}  // namespace fencepost::models::thread_pool_scenarios
