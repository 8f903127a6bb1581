// The loops of fork_join with weaker orders, or fewer steps: scenarios that must be violated.
#pragma once

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/fork_join/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace fork_join_faults {

using faults::without_wake;

template <class P>
struct answer_wakes_nobody : fork_join_scenarios::sleeper_is_answered<without_wake<P>> {
  static constexpr auto about =
      undisturbed({.name = "fork_join/answer_wakes_nobody",
                   .threads = 2,
                   .claim = "if an answer does not wake the requesting worker, it is never woken",
                   .expected = violation::liveness});
};

// Neither close() nor the worker that has run the last task wakes the sleeping workers.
template <class P>
struct unnoticed_end : fork_join_scenarios::submit_against_stop<without_wake<P>> {
  static constexpr auto about =
      undisturbed({.name = "fork_join/unnoticed_end",
                   .threads = 3,
                   .claim = "if closing does not wake sleeping workers, they never leave",
                   .expected = violation::liveness});
};

}  // namespace fork_join_faults

using fork_join_faults_list = lists<
    scenario_list<
        order_fault<"fork_join/relaxed_completion", fork_join_scenarios::stolen_result,
                    "task_slot.hpp:complete=relaxed", violation::data_race,
                    "if completing a stolen task does not release, sync() misses the result">::on,
        order_fault<"fork_join/no_push_fence", fork_join_scenarios::stolen_result,
                    "tail_split.hpp:push.fence=removed", violation::data_race,
                    "without the fence of spawn(), a thief misses what precedes the spawn">::on,
        order_fault<
            "fork_join/no_wake_fence", fork_join_scenarios::sleeper_is_woken,
            "event_count.hpp:notify.fence=removed", violation::liveness,
            "without the fences of the event count, a task is shared and no worker wakes">::on,
        fork_join_faults::answer_wakes_nobody,
        order_fault<"fork_join/relaxed_closing", fork_join_scenarios::submit_against_stop,
                    "fork_join_core.hpp:close=relaxed", violation::liveness,
                    "if closing does not publish the accepted submissions, workers leave before an "
                    "accepted task runs">::on,
        fork_join_faults::unnoticed_end>,
    needs_halves<scenario_list<
        order_fault<"fork_join/no_shrink_fence", fork_join_scenarios::taken_back_by_halves,
                    "split_word.hpp:lace.lower.fence=removed", violation::data_race,
                    "on a word of halves, without the fence that lowers the split, a task is "
                    "taken back and stolen">::on>>>;

}  // namespace fencepost::models
