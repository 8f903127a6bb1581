// What a completion would be without each of its orders and steps: scenarios that must be violated.
#pragma once

#include <atomic>

#include "fencepost/models/completion/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/completion.hpp"

namespace fencepost::models {

namespace completion_faults {

using completion_scenarios::result_is_awaited;
using completion_scenarios::short_life;
using completion_scenarios::wait_asleep;
using faults::operation;

// `done` before the wake, and no `waking`.
template <class P>
struct late_wake_completion : completion<P> {
  using base = completion<P>;
  void complete() {
    const auto seen = this->state_.exchange(base::done_state, std::memory_order_release);
    if (seen == base::asleep_state) P::futex_wake(this->state_, 1);
  }
};

// The wake before `done`, and no `waking`.
template <class P>
struct early_wake_completion : completion<P> {
  using base = completion<P>;
  void complete() {
    auto seen = base::pending_state;
    if (this->state_.compare_exchange_strong(seen, base::done_state, std::memory_order_release,
                                             std::memory_order_relaxed)) {
      return;
    }
    P::futex_wake(this->state_, 1);
    this->state_.store(base::done_state, std::memory_order_release);
  }
};

template <class P>
struct relaxed_completion
    : result_is_awaited<faults::weaker<P, operation::compare_exchange, std::memory_order_release,
                                       std::memory_order_relaxed>,
                        completion, 1> {
  static constexpr auto about =
      scenario{.name = "completion/relaxed_completion",
               .threads = 2,
               .claim = "if complete() does not release, the waiter misses the result",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_look
    : result_is_awaited<
          faults::weaker<P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>,
          completion, 1> {
  static constexpr auto about =
      scenario{.name = "completion/relaxed_look",
               .threads = 2,
               .claim = "if the waiter does not acquire, it reads the result too early",
               .expected = violation::data_race};
};

template <class P>
struct record_dies_in_the_wake
    : short_life<
          faults::weaker<P, operation::store, std::memory_order_release, std::memory_order_relaxed>,
          completion, wait_asleep> {
  static constexpr auto about = scenario{.name = "completion/record_dies_in_the_wake",
                                         .threads = 2,
                                         .claim =
                                             "if the store of done after a wake does not release, "
                                             "the record is destroyed during the wake",
                                         .expected = violation::use_after_free};
};

template <class P>
struct late_wake : short_life<reading_wakes<P>, late_wake_completion, wait_asleep> {
  static constexpr auto about =
      scenario{.name = "completion/late_wake",
               .threads = 2,
               .claim = "a wake after the store of done uses the address of a destroyed record",
               .expected = violation::use_after_free};
};

template <class P>
struct early_wake : result_is_awaited<P, early_wake_completion, 0> {
  static constexpr auto about =
      scenario{.name = "completion/early_wake",
               .threads = 2,
               .claim = "a wake with no change of the state before it is missed by the waiter",
               .expected = violation::liveness};
};

template <class P>
struct torn_completion : result_is_awaited<faults::torn_exchanges<P>, completion, 0> {
  static constexpr auto about = scenario{
      .name = "completion/torn_completion",
      .threads = 2,
      .claim = "without an atomic exchange, the completing thread overlooks a parked waiter",
      .expected = violation::liveness};
};

template <class P>
struct late_result : completion_scenarios::one_look_then_the_result<
                         faults::weaker<P, operation::compare_exchange, std::memory_order_release,
                                        std::memory_order_relaxed>,
                         completion> {
  static constexpr auto about = scenario{
      .name = "completion/late_result",
      .threads = 2,
      .claim = "if complete() does not release, done() returns true before the result is visible",
      .expected = violation::assertion,
      .outcomes = completion_scenarios::one_look_then_the_result<P, completion>::known};
};

}  // namespace completion_faults

using completion_faults_list =
    scenario_list<completion_faults::relaxed_completion, completion_faults::relaxed_look,
                  completion_faults::record_dies_in_the_wake, completion_faults::late_wake,
                  completion_faults::early_wake, completion_faults::torn_completion,
                  completion_faults::late_result>;

}  // namespace fencepost::models
