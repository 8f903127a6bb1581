// The claims of thread_pool's loops: its core on the threads of the runner, with rounds cut down to
// the shortest. The scenarios in faults.hpp must be violated.
#pragma once

#include "fencepost/models/thread_pool/external_jobs.hpp"
#include "fencepost/models/thread_pool/following_jobs.hpp"
#include "fencepost/models/thread_pool/job_groups.hpp"
#include "fencepost/models/thread_pool/self_submitting_jobs.hpp"
#include "fencepost/models/thread_pool/stopped_pool.hpp"
#include "fencepost/models/thread_pool/timed_job_waits.hpp"
#include "fencepost/models/thread_pool/waiting_workers.hpp"
#include "fencepost/models/thread_pool/woken_workers.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

using thread_pool_claims_list = scenario_list<
    thread_pool_scenarios::outside_waits, thread_pool_scenarios::nobody_waits,
    thread_pool_scenarios::submit_against_stop, thread_pool_scenarios::claim,
    thread_pool_scenarios::worker_waits, thread_pool_scenarios::joined_job_may_die,
    thread_pool_scenarios::worker_submits_and_waits,
    thread_pool_scenarios::sleeper_gets_pushed_work,
    thread_pool_scenarios::second_sleeper_gets_pushed_work,
    thread_pool_scenarios::destroyed_at_once, thread_pool_scenarios::two_workers_one_job,
    thread_pool_scenarios::two_workers_are_stopped,
    thread_pool_scenarios::submit_while_a_worker_leaves, thread_pool_scenarios::self_submitting_job,
    thread_pool_scenarios::self_submitting_job_beside_a_busy_worker,
    thread_pool_scenarios::job_may_die_when_it_runs,
    thread_pool_scenarios::group_may_die_after_the_wait,
    thread_pool_scenarios::group_of_a_waiting_worker,
    thread_pool_scenarios::group_task_adds_another,
    thread_pool_scenarios::cancelled_group_is_used_again,
    thread_pool_scenarios::follower_comes_after_the_job,
    thread_pool_scenarios::follower_may_die_when_it_comes,
    thread_pool_scenarios::all_jobs_come_before_the_result,
    thread_pool_scenarios::follower_comes_after_all_jobs,
    thread_pool_scenarios::timed_out_wait_is_repeated,
    thread_pool_scenarios::timed_out_wait_is_followed,
    thread_pool_scenarios::timed_out_worker_waits_again,
    thread_pool_scenarios::timed_out_worker_follows,
    thread_pool_scenarios::waiter_with_a_deadline_gets_work>;

}  // namespace fencepost::models
