// The loops of thread_pool with weaker orders: scenarios that must be violated.
#pragma once

#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/thread_pool/claims.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace thread_pool_faults {

// As in Blitz, a submitter reads a flag while the pool stops.
template <class P>
struct ungated_core : pool_core<P> {
  using pool_core<P>::pool_core;
  void close() noexcept { this->sleep().stop(); }
};
template <class P>
struct closed_without_rundown {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/closed_without_rundown",
       .threads = 3,
       .claim = "if closing does not wait for concurrent submitters, an accepted job is not run",
       .expected = violation::assertion});
  ungated_core<P> pool{1, thread_pool_scenarios::at_once};
  thread_pool_scenarios::traced_job<P> job;
  bool accepted = false;
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(pool.at(0));
    } else if (index == 1) {
      accepted = !pool.sleep().stopping() && pool.inject(job);
    } else {
      pool.close();
    }
  }
  void after() { require(job.runs.get() == (accepted ? 1 : 0), "an accepted submission runs"); }
};

// As in Blitz and Rayon, a worker looks elsewhere only when its deque is empty.
template <class P>
struct never_out_of_turn : thread_pool_scenarios::starving_jobs<P, 0> {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/never_out_of_turn",
       .threads = 2,
       .claim =
           "if a worker always takes its own newest job, one that submits itself starves others",
       .expected = violation::assertion});
};

// A coroutine that accesses the job again after it has suspended itself.
template <class P>
struct follower_looks_at_the_job : thread_pool_scenarios::follower_may_die_when_it_comes<P> {
  static constexpr auto about = undisturbed(
      {.name = "thread_pool/follower_looks_at_the_job",
       .threads = 2,
       .claim =
           "a thread that accesses the job after registering a follower may access freed memory",
       .expected = violation::use_after_free});
  void thread(unsigned index) {
    if (index == 0) return this->record->run();
    if (!this->frame->job.follow(*this->frame)) return this->frame->come();
    this->frame->job.refused();
  }
};

template <class P>
struct time_out_taken_for_the_end : thread_pool_scenarios::timed_out_worker_waits_again<P> {
  static constexpr auto about = thread_pool_scenarios::once_timed_out(
      {.name = "thread_pool/time_out_taken_for_the_end",
       .threads = 2,
       .claim = "a worker that mistakes its time-out for the end of the job races with the job",
       .expected = violation::data_race});
  void thread(unsigned index) {
    if (index == 0) return this->job.record().run();
    static_cast<void>(this->job.wait_for_a_time(&this->pool.at(0)));
    static_cast<void>(this->result.get());
  }
};

}  // namespace thread_pool_faults

using thread_pool_faults_list = scenario_list<
    order_fault<"thread_pool/relaxed_rundown", thread_pool_scenarios::destroyed_at_once,
                "rundown.hpp:leave=relaxed", violation::use_after_free,
                "if leaving the rundown does not release, the pool is destroyed under the leaving "
                "thread">::on,
    order_fault<"thread_pool/relaxed_done", thread_pool_scenarios::outside_waits,
                "waitable_job.hpp:done=relaxed", violation::data_race,
                "if completing a job does not release, the waiter misses the result">::on,
    order_fault<
        "thread_pool/relaxed_release", thread_pool_scenarios::nobody_waits,
        "waitable_job.hpp:release=relaxed", violation::use_after_free,
        "if releasing a job is relaxed, it is destroyed while its other holder uses it">::on,
    order_fault<"thread_pool/followed_without_release",
                thread_pool_scenarios::follower_comes_after_the_job,
                "waitable_job.hpp:enter=acquire", violation::data_race,
                "if registering a follower does not release, the end of the job does not find the "
                "follower">::on,
    order_fault<"thread_pool/done_without_acquire",
                thread_pool_scenarios::follower_comes_after_the_job,
                "waitable_job.hpp:done=release", violation::data_race,
                "if completing a job does not acquire, it does not find the follower">::on,
    order_fault<
        "thread_pool/all_arrive_without_acquire",
        thread_pool_scenarios::all_jobs_come_before_the_result, "when_all.hpp:arrive=release",
        violation::use_after_free,
        "if arriving does not acquire, the last one destroys what another job still uses">::on,
    order_fault<"thread_pool/all_arrive_without_release",
                thread_pool_scenarios::all_jobs_come_before_the_result,
                "when_all.hpp:arrive=acquire", violation::use_after_free,
                "if arriving does not release, the last one destroys what this job still uses">::on,
    order_fault<"thread_pool/group_leaves_without_release",
                thread_pool_scenarios::group_may_die_after_the_wait,
                "group_count.hpp:leave=acquire", violation::data_race,
                "if leaving a group does not release, its owner misses what a task did">::on,
    order_fault<"thread_pool/group_leaves_without_acquire",
                thread_pool_scenarios::group_may_die_after_the_wait,
                "group_count.hpp:leave=release", violation::data_race,
                "if leaving a group does not acquire, the last task does not find its owner">::on,
    order_fault<"thread_pool/group_waits_without_release",
                thread_pool_scenarios::group_may_die_after_the_wait,
                "group_count.hpp:give_up=acquire", violation::data_race,
                "if waiting for a group does not release, the last task does not find the "
                "owner">::on,
    order_fault<
        "thread_pool/group_waits_without_acquire",
        thread_pool_scenarios::group_may_die_after_the_wait, "group_count.hpp:give_up=release",
        violation::data_race,
        "if waiting for a group does not acquire, its owner misses what finished tasks did">::on,
    thread_pool_faults::closed_without_rundown, thread_pool_faults::never_out_of_turn,
    thread_pool_faults::follower_looks_at_the_job, thread_pool_faults::time_out_taken_for_the_end>;

}  // namespace fencepost::models
