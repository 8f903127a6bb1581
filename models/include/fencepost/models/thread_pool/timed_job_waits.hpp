// Claims of thread_pool about waits for a job with a deadline.
#pragma once

#include "fencepost/models/thread_pool/following_jobs.hpp"
#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::thread_pool_scenarios {

constexpr scenario once_timed_out(scenario about) {
  about.spurious_wakeups = 0;
  about.timeouts = 1;
  return about;
}

template <class P>
struct timed_out_wait_is_repeated {
  static constexpr auto about =
      once_timed_out({.name = "thread_pool/timed_out_wait_is_repeated",
                      .threads = 2,
                      .claim = "a wait that times out leaves nothing behind, and any other wait "
                               "ends after the job; a second wait is woken"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  waited_job<P> job{pool, result};
  void thread(unsigned index) {
    if (index == 0) return job.record().run();
    wait_twice(nullptr);
  }
  void wait_twice(typename pool_core<P>::worker* me) {
    if (!job.wait_for_a_time(me)) job.wait(me);
    require(result.get() == 7, "the result is visible");
  }
};

template <class P>
struct timed_out_wait_is_followed : follower_comes_after_the_job<P> {
  static constexpr auto about =
      once_timed_out({.name = "thread_pool/timed_out_wait_is_followed",
                      .threads = 2,
                      .claim = "a follower may be registered after a wait that has timed out"});
  void thread(unsigned index) {
    if (index == 0) return this->job.record().run();
    wait_and_follow(nullptr);
  }
  void wait_and_follow(typename pool_core<P>::worker* me) {
    if (this->job.wait_for_a_time(me) || !this->job.follow(this->next)) this->next.come();
  }
};

// The same on a worker, which sleeps on a latch.
template <class P>
struct timed_out_worker_waits_again : timed_out_wait_is_repeated<P> {
  static constexpr auto about =
      once_timed_out({.name = "thread_pool/timed_out_worker_waits_again",
                      .threads = 2,
                      .claim = "a worker whose wait times out leaves nothing behind, and is woken "
                               "by the end of the job when it waits again"});
  void thread(unsigned index) {
    if (index == 0) return this->job.record().run();
    this->wait_twice(&this->pool.at(0));
  }
};

template <class P>
struct timed_out_worker_follows : timed_out_wait_is_followed<P> {
  static constexpr auto about = once_timed_out(
      {.name = "thread_pool/timed_out_worker_follows",
       .threads = 2,
       .claim = "a follower may be registered after the wait of a worker has timed out"});
  void thread(unsigned index) {
    if (index == 0) return this->job.record().run();
    this->wait_and_follow(&this->pool.at(0));
  }
};

// The job is run as part of another one, which is external.
template <class P>
struct waiter_with_a_deadline_gets_work {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/waiter_with_a_deadline_gets_work",
                   .threads = 2,
                   .claim = "a worker that sleeps until a deadline is woken for an external job"});
  struct outer_job final : pool_job<P> {
    explicit outer_job(pool_job<P>& other) : pool_job<P>{&run_it}, inner{other} {}
    static void run_it(pool_job<P>& job) noexcept { static_cast<outer_job&>(job).inner.run(); }
    pool_job<P>& inner;
  };
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  waited_job<P> job{pool, result};
  outer_job outer{job.record()};
  void thread(unsigned index) {
    if (index == 1) return require(pool.inject(outer), "the pool is open");
    require(job.wait_for_a_time(&pool.at(0)), "the wait does not time out");
    require(result.get() == 7, "the result is visible");
  }
};

}  // namespace fencepost::models::thread_pool_scenarios
