// What the loops of fork_join would be with weaker orders, or fewer steps: scenarios that must be
// violated.
#pragma once

#include <atomic>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/fork_join/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace fork_join_faults {

using faults::operation;
using faults::weaker;
using faults::without_fence;
using faults::without_wake;
constexpr std::memory_order relaxed = std::memory_order_relaxed;

// Of a task that is stolen: its slot is marked as done by the only store of a number that releases.
template <class P>
struct relaxed_completion : fork_join_scenarios::stolen_result<
                                weaker<P, operation::store, std::memory_order_release, relaxed>> {
  static constexpr auto about =
      scenario{.name = "fork_join/relaxed_completion",
               .threads = 2,
               .claim = "if completing a stolen task does not release, sync() misses the result",
               .expected = violation::data_race,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

// What the owner did before it spawned the task.
template <class P>
struct no_push_fence
    : fork_join_scenarios::stolen_result<without_fence<P, std::memory_order_release>> {
  static constexpr auto about =
      scenario{.name = "fork_join/no_push_fence",
               .threads = 2,
               .claim = "without the fence of spawn(), a thief misses what precedes the spawn",
               .expected = violation::data_race,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

// Those of the event count: the owner's, before it looks whether anybody sleeps, and the thief's,
// before its last look.
template <class P>
struct no_wake_fence
    : fork_join_scenarios::sleeper_is_woken<without_fence<P, std::memory_order_seq_cst>> {
  static constexpr auto about = scenario{
      .name = "fork_join/no_wake_fence",
      .threads = 2,
      .claim = "without the fences of the event count, a task is shared and no worker wakes",
      .expected = violation::liveness,
      .spurious_failures = 0,
      .spurious_wakeups = 0,
      .timeouts = 0};
};

template <class P>
struct answer_wakes_nobody : fork_join_scenarios::sleeper_is_answered<without_wake<P>> {
  static constexpr auto about =
      scenario{.name = "fork_join/answer_wakes_nobody",
               .threads = 2,
               .claim = "if an answer does not wake the requesting worker, it is never woken",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

// The flag that the pool is closing is stored, and only there is a bool stored with a release.
template <class P>
struct relaxed_closing : fork_join_scenarios::submit_against_stop<
                             weaker<P, operation::store, std::memory_order_release, relaxed>> {
  static constexpr auto about =
      scenario{.name = "fork_join/relaxed_closing",
               .threads = 3,
               .claim =
                   "if closing does not publish the accepted submissions, workers leave before an "
                   "accepted task runs",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

// Neither close() nor the worker that has run the last task wakes those that sleep.
template <class P>
struct unnoticed_end : fork_join_scenarios::submit_against_stop<without_wake<P>> {
  static constexpr auto about =
      scenario{.name = "fork_join/unnoticed_end",
               .threads = 3,
               .claim = "if closing does not wake sleeping workers, they never leave",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

}  // namespace fork_join_faults

using fork_join_faults_list =
    scenario_list<fork_join_faults::relaxed_completion, fork_join_faults::no_push_fence,
                  fork_join_faults::no_wake_fence, fork_join_faults::answer_wakes_nobody,
                  fork_join_faults::relaxed_closing, fork_join_faults::unnoticed_end>;

}  // namespace fencepost::models
