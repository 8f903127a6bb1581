// Followers of one or several jobs of thread_pool, such as the handles of when_all() and then().
#pragma once

#include <memory>
#include <utility>

#include "fencepost/models/thread_pool/waited_job.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/waitable_job.hpp"
#include "fencepost/runtime/when_all.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::thread_pool_scenarios {

template <class P>
struct follower_comes_after_the_job {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/follower_comes_after_the_job",
                   .threads = 2,
                   .claim = "a job's follower is called once, after the job, whether or not the "
                            "job was done already"});
  // Adds the job's result, as it observes it, to `seen`.
  struct follower final : job_follower {
    explicit follower(typename P::template plain<unsigned>& result)
        : job_follower{&come_it}, result_of_job{result} {}
    static job_follower* come_it(job_follower& next) noexcept {
      auto& me = static_cast<follower&>(next);
      me.seen.set(me.seen.get() + me.result_of_job.get());
      return nullptr;
    }
    typename P::template plain<unsigned>& result_of_job;
    typename P::template plain<unsigned> seen{0u};
  };
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  waited_job<P> job{pool, result};
  follower next{result};
  void thread(unsigned index) {
    if (index == 0) return job.record().run();
    if (!job.follow(next)) next.come();
  }
  void after() { require(next.seen.get() == 7, "the follower was called once"); }
};

// A coroutine's frame, which holds the handle, and is destroyed when it is resumed.
template <class P>
struct awaiting_frame final : job_follower {
  awaiting_frame(pool_core<P>& pool, typename P::template plain<unsigned>& to)
      : job_follower{&come_it}, result{to}, job{pool, to} {}
  static job_follower* come_it(job_follower& next) noexcept {
    const std::unique_ptr<awaiting_frame> me{static_cast<awaiting_frame*>(&next)};
    me->result.set(me->result.get() + 1);
    return nullptr;
  }
  typename P::template plain<unsigned>& result;
  waited_job<P> job;
};
template <class P>
struct follower_may_die_when_it_comes {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/follower_may_die_when_it_comes",
                   .threads = 2,
                   .claim = "a job's follower may be destroyed when it is called, with the handle, "
                            "even if follow() has not returned"});
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> result{0u};
  awaiting_frame<P>* frame = nullptr;
  pool_job<P>* record = nullptr;
  void before() {
    frame = new awaiting_frame<P>{pool, result};
    record = &frame->job.record();
  }
  void thread(unsigned index) {
    if (index == 0) return record->run();
    if (!frame->job.follow(*frame)) frame->come();
  }
  void after() { require(result.get() == 8, "the follower was called once, after the job"); }
};

// Two threads run a job each, and the third has the handles.
template <class P>
struct two_jobs {
  using set = typename waited_job<P>::set;
  using job = submitted_job<set, void, P>;
  pool_core<P> pool{1, at_once};
  typename P::template plain<unsigned> results[2] = {typename P::template plain<unsigned>{0u},
                                                     typename P::template plain<unsigned>{0u}};
  job* jobs[2];
  pool_future<void, P> handles[2];
  void before() {
    for (unsigned i = 0; i < 2; ++i) {
      jobs[i] = new job{pool, set{&results[i]}};
      handles[i] = fencepost::detail::pool_future_access::handle_to<void, P>(*jobs[i]);
    }
  }
  void run(unsigned index) {
    pool_job<P>& mine = *jobs[index];
    mine.run();
  }
  auto all() { return when_all(std::move(handles[0]), std::move(handles[1])); }
};
template <class P>
struct all_jobs_come_before_the_result : two_jobs<P> {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/all_jobs_come_before_the_result",
       .threads = 3,
       .claim = "each of several jobs happens before the return of the wait for all of them"});
  void thread(unsigned index) {
    if (index < 2) return this->run(index);
    this->all().get();
    require(this->results[0].get() + this->results[1].get() == 14, "the results are visible");
  }
};
template <class P>
struct follower_comes_after_all_jobs : two_jobs<P> {
  static constexpr auto about =
      undisturbed({.name = "thread_pool/follower_comes_after_all_jobs",
                   .threads = 3,
                   .claim = "the follower of several jobs is called once, after all of them, and "
                            "may then be destroyed, with the handle"});
  using joint_handle = decltype(std::declval<two_jobs<P>&>().all());
  struct follower final : job_follower {
    explicit follower(follower_comes_after_all_jobs& scene)
        : job_follower{&come_it}, of{scene}, handle{scene.all()} {}
    static job_follower* come_it(job_follower& next) noexcept {
      const std::unique_ptr<follower> me{static_cast<follower*>(&next)};
      auto& sum = me->of.sum;
      sum.set(sum.get() + me->of.results[0].get() + me->of.results[1].get());
      return nullptr;
    }
    follower_comes_after_all_jobs& of;
    joint_handle handle;
  };
  typename P::template plain<unsigned> sum{0u};
  void thread(unsigned index) {
    if (index < 2) return this->run(index);
    auto* const next = new follower{*this};
    auto& joint = fencepost::detail::pool_future_access::job_of(next->handle, "follow");
    if (!joint.follow(*next)) next->come();
  }
  void after() { require(sum.get() == 14, "the follower was called once"); }
};

}  // namespace fencepost::models::thread_pool_scenarios
