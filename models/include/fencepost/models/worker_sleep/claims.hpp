// The claims of the sleep protocol, one scenario each. Rounds are cut down to the shortest: a
// worker announces itself, searches once, and blocks. The scenarios in faults.hpp must be violated.
#pragma once

#include "fencepost/models/worker_sleep/jobs_event_counter.hpp"
#include "fencepost/models/worker_sleep/posted_jobs.hpp"
#include "fencepost/models/worker_sleep/sleepers_latch.hpp"
#include "fencepost/models/worker_sleep/stopped_sleepers.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

using worker_sleep_claims_list = scenario_list<
    worker_sleep_scenarios::posted_job_is_found, worker_sleep_scenarios::internal_job_is_found,
    worker_sleep_scenarios::two_posters, worker_sleep_scenarios::two_sleepers,
    worker_sleep_scenarios::left_to_another, worker_sleep_scenarios::sleeper_leaves_in_time,
    worker_sleep_scenarios::counter_is_odd, worker_sleep_scenarios::woken_for_nothing,
    worker_sleep_scenarios::with_injector, worker_sleep_scenarios::counter_wraps,
    worker_sleep_scenarios::first_unfenced_job, worker_sleep_scenarios::unfenced_job_popped,
    worker_sleep_scenarios::latch_wakes, worker_sleep_scenarios::latch_among_jobs,
    worker_sleep_scenarios::stop_strands_nobody, worker_sleep_scenarios::poster_and_stopper>;

}  // namespace fencepost::models
