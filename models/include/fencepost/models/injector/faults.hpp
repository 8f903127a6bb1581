// The injector with weaker orders: scenarios that must be violated.
#pragma once

#include <cstdint>

#include "fencepost/models/injector/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace injector_faults {

// Not claimed: that `empty` returns what was true at some moment.
template <class P>
struct empty_at_no_moment : injector_scenarios::never_quite_empty<P, true> {
  static constexpr auto about =
      scenario{.name = "injector/empty_at_no_moment",
               .threads = 2,
               .claim = "a queue that is reported empty was empty at some moment",
               .expected = violation::assertion};
};

}  // namespace injector_faults

using injector_faults_list = scenario_list<
    order_fault<"injector/relaxed_push", injector_scenarios::job_is_whole,
                "injector.hpp:push=relaxed", violation::data_race,
                "with a relaxed push, an unpublished job is popped">::on,
    order_fault<"injector/release_only_taking", injector_scenarios::job_is_whole,
                "injector.hpp:take_stack=release", violation::data_race,
                "if taking the stack does not acquire, an unpublished job is popped">::on,
    order_fault<"injector/acquire_only_taking", injector_scenarios::never_called_empty,
                "injector.hpp:take_stack=acquire", violation::assertion,
                "if taking the stack does not release, a queue with a job is reported empty">::on,
    order_fault<
        "injector/relaxed_look", injector_scenarios::never_called_empty,
        "injector.hpp:empty.stack=relaxed", violation::assertion,
        "if the load of the stack does not acquire, a queue with a job is reported empty">::on,
    order_fault<"injector/relaxed_lock", injector_scenarios::two_poppers,
                "injector.hpp:lock=relaxed", violation::data_race,
                "with a lock that does not acquire, a consumer reads the front too early">::on,
    order_fault<"injector/relaxed_unlock", injector_scenarios::two_poppers,
                "injector.hpp:unlock=relaxed", violation::data_race,
                "with an unlock that does not release, a consumer reads the front too early">::on,
    injector_faults::empty_at_no_moment>;

}  // namespace fencepost::models
