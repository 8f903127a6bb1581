// A deque of tasks on the call stack without the orders beneath it, and with the steps of a thief
// reordered: scenarios that must be violated.
#pragma once

#include <memory>

#include "fencepost/models/call_stack_deque/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace call_stack_deque_faults {

using call_stack_deque_scenarios::increment;
using call_stack_deque_scenarios::nobody;

// The thief reads the task after completing it, say to decide what to do next.
template <class P>
struct thief_looks_back : call_stack_deque_scenarios::one_deque<P> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/thief_looks_back",
               .threads = 2,
               .claim = "a thief that reads a task after its completion reads a frame that is gone",
               .expected = violation::use_after_free};
  void thread(unsigned index) {
    if (index == 0) return this->spawn_and_join(20);
    nobody me;
    const auto theft = this->tasks.steal();
    if (theft.outcome != steal_outcome::stolen) return;
    theft.item->run_stolen(me);
    static_cast<increment<P>*>(theft.item)->number.get();
  }
};

// The owner's frame ends although the task was stolen.
template <class P>
struct owner_does_not_wait : call_stack_deque_scenarios::one_deque<P> {
  static constexpr auto about =
      scenario{.name = "call_stack_deque/owner_does_not_wait",
               .threads = 2,
               .claim =
                   "an owner that returns without its stolen task leaves the thief a frame "
                   "that is gone",
               .expected = violation::use_after_free};
  void thread(unsigned index) {
    if (index != 0) return this->steal_once();
    const auto frame = std::make_unique<increment<P>>(20u);
    this->tasks.push(*frame);
    static_cast<void>(this->tasks.pop(*frame));
  }
};

}  // namespace call_stack_deque_faults

using call_stack_deque_faults_list = scenario_list<
    order_fault<"call_stack_deque/relaxed_push", call_stack_deque_scenarios::result_comes_back,
                "chase_lev.hpp:put=relaxed", violation::data_race,
                "with a relaxed store of back in push, a thief runs an unpublished task">::on,
    order_fault<"call_stack_deque/relaxed_completion",
                call_stack_deque_scenarios::result_comes_back, "completion.hpp:complete=relaxed",
                violation::data_race, "with a relaxed completion, the owner misses the result">::on,
    call_stack_deque_faults::thief_looks_back, call_stack_deque_faults::owner_does_not_wait>;

}  // namespace fencepost::models
