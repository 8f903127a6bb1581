// The four-state latch with weaker orders, with weak exchanges, or with fewer states: scenarios
// that must be violated.
#pragma once

#include <cstdint>

#include "fencepost/models/core_latch/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace core_latch_faults {

// A waiter that commits itself before it takes the lock that it sleeps under.
template <class P>
struct commits_without_lock {
  static constexpr auto about = scenario{
      .name = "core_latch/commits_without_lock",
      .threads = 2,
      .claim = "a waiter that commits to sleep outside its lock is missed by the waking thread",
      .expected = violation::liveness};
  core_latch<P> latch;
  core_latch_scenarios::parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      if (latch.get_sleepy() && latch.fall_asleep()) here.park();
    } else if (latch.set()) {
      here.wake();
    }
  }
};

template <class P>
struct torn_steps : core_latch_scenarios::set_on_the_way_to_sleep<faults::torn_exchanges<P>> {
  static constexpr auto about =
      scenario{.name = "core_latch/torn_steps",
               .threads = 2,
               .claim = "transitions made of a load and a store overlook each other",
               .expected = violation::assertion,
               .outcomes = core_latch_scenarios::set_on_the_way_to_sleep<P>::known};
};

}  // namespace core_latch_faults

using core_latch_faults_list = scenario_list<
    order_fault<"core_latch/relaxed_set", core_latch_scenarios::set_publishes,
                "core_latch.hpp:set=relaxed", violation::data_race,
                "with a relaxed set(), the waiter reads an unpublished result">::on,
    order_fault<"core_latch/relaxed_probe", core_latch_scenarios::set_publishes,
                "core_latch.hpp:probe=relaxed", violation::data_race,
                "with a relaxed probe(), the waiter reads an unpublished result">::on,
    order_fault<
        "core_latch/weak_exchanges", core_latch_scenarios::fails_only_when_set,
        "core_latch.hpp:move=weak", violation::assertion,
        "a transition that fails spuriously leaves the latch in its old state for good">::on,
    core_latch_faults::commits_without_lock, core_latch_faults::torn_steps>;

}  // namespace fencepost::models
