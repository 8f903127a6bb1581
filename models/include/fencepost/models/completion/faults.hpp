// A completion without each of its orders and steps in turn: scenarios that must be violated.
#pragma once

#include <atomic>

#include "fencepost/models/completion/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/completion.hpp"

namespace fencepost::models {

namespace completion_faults {

using completion_scenarios::result_is_awaited;
using completion_scenarios::short_life;
using completion_scenarios::wait_asleep;

template <class P>
using result_after_one_look = result_is_awaited<P, completion, 1>;
template <class P>
using dies_after_a_sleep = short_life<P, completion, wait_asleep>;

// Stores `done` before the wake, and has no `waking`.
template <class P>
struct late_wake_completion : completion<P> {
  using base = completion<P>;
  void complete() {
    const auto seen = this->state_.exchange(base::done_state, std::memory_order_release);
    if (seen == base::asleep_state) P::futex_wake(this->state_, 1);
  }
};

// Wakes before it stores `done`, and has no `waking`.
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

}  // namespace completion_faults

using completion_faults_list = scenario_list<
    order_fault<"completion/relaxed_completion", completion_faults::result_after_one_look,
                "completion.hpp:complete=relaxed", violation::data_race,
                "if complete() does not release, the waiter misses the result">::on,
    order_fault<"completion/relaxed_look", completion_faults::result_after_one_look,
                "completion.hpp:look=relaxed", violation::data_race,
                "if the waiter does not acquire, it reads the result too early">::on,
    order_fault<"completion/record_dies_in_the_wake", completion_faults::dies_after_a_sleep,
                "completion.hpp:wake.done=relaxed", violation::use_after_free,
                "if the store of done after a wake does not release, the record is destroyed "
                "during the wake">::on,
    completion_faults::late_wake, completion_faults::early_wake, completion_faults::torn_completion,
    order_fault<
        "completion/late_result",
        with_word<completion_scenarios::one_look_then_the_result, completion>::scenario,
        "completion.hpp:complete=relaxed", violation::assertion,
        "if complete() does not release, done() returns true before the result is visible">::on>;

}  // namespace fencepost::models
