// The claims of fork_join's loops: its core on the threads of the runner, whose workers sleep as
// soon as they have searched everywhere. The scenarios in faults.hpp must be violated.
//
// Thread 0 runs a task of worker 0, or is the submitter; the others are workers without a task.
#pragma once

#include "fencepost/models/fork_join/external_tasks.hpp"
#include "fencepost/models/fork_join/sleeping_workers.hpp"
#include "fencepost/models/fork_join/spawned_tasks.hpp"
#include "fencepost/models/fork_join/workers_together.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

using fork_join_claims_list = lists<
    scenario_list<
        fork_join_scenarios::stolen_result, fork_join_scenarios::stolen_exception,
        fork_join_scenarios::leapfrogging, fork_join_scenarios::drop_against_theft,
        fork_join_scenarios::sleeper_is_woken, fork_join_scenarios::sleeper_is_answered,
        fork_join_scenarios::sleeper_gets_private_work,
        fork_join_scenarios::every_sleeper_gets_work, fork_join_scenarios::last_look_sees_the_first,
        fork_join_scenarios::last_look_sees_the_next, fork_join_scenarios::last_look_sees_the_last,
        fork_join_scenarios::thief_wakes_for_the_rest, fork_join_scenarios::waiting_worker_joins,
        fork_join_scenarios::frame_keeps_tasks_apart, fork_join_scenarios::outside_waits,
        fork_join_scenarios::submitter_waits_for_room, fork_join_scenarios::two_submissions,
        fork_join_scenarios::submit_against_stop, fork_join_scenarios::together,
        fork_join_scenarios::all_meet, fork_join_scenarios::new_frame,
        fork_join_scenarios::new_frame_hides, fork_join_scenarios::last_task_lets_all_leave,
        fork_join_scenarios::two_workers_are_stopped, fork_join_scenarios::tasks_are_taken_back>,
    needs_halves<scenario_list<fork_join_scenarios::taken_back_by_halves>>>;

}  // namespace fencepost::models
