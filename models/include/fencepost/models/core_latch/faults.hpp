// What the four-state latch would be with weaker orders, with weak exchanges, or with fewer states:
// scenarios that must be violated.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/models/core_latch/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace core_latch_faults {

using faults::operation;

template <class P>
struct relaxed_set
    : core_latch_scenarios::set_publishes<faults::weaker<
          P, operation::exchange, std::memory_order_release, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "core_latch/relaxed_set",
               .threads = 2,
               .claim = "with a relaxed set(), the waiter reads an unpublished result",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_probe
    : core_latch_scenarios::set_publishes<faults::weaker<
          P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "core_latch/relaxed_probe",
               .threads = 2,
               .claim = "with a relaxed probe(), the waiter reads an unpublished result",
               .expected = violation::data_race};
};

template <class P>
struct weak_exchanges : core_latch_scenarios::fails_only_when_set<faults::weak_exchanges<P>> {
  static constexpr auto about = scenario{
      .name = "core_latch/weak_exchanges",
      .threads = 2,
      .claim = "a transition that fails spuriously leaves the latch in its old state for good",
      .expected = violation::assertion};
};

// A waiter that commits itself before it takes the lock that it sleeps under.
template <class P>
struct commits_without_lock {
  static constexpr auto about = scenario{
      .name = "core_latch/commits_without_lock",
      .threads = 2,
      .claim = "a waiter that commits to sleep outside its lock is missed by the waking thread",
      .expected = violation::liveness};
  core_latch<P> latch;
  core_latch_scenarios::bed<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      if (latch.get_sleepy() && latch.fall_asleep()) here.lie_down();
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

using core_latch_faults_list =
    scenario_list<core_latch_faults::relaxed_set, core_latch_faults::relaxed_probe,
                  core_latch_faults::weak_exchanges, core_latch_faults::commits_without_lock,
                  core_latch_faults::torn_steps>;

}  // namespace fencepost::models
