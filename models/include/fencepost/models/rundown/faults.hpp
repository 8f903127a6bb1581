// What a rundown would be with weaker orders: scenarios that must be violated.
#pragma once

#include <atomic>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/rundown/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace rundown_faults {

using faults::operation;
using faults::weaker;
constexpr std::memory_order relaxed = std::memory_order_relaxed;

template <class P>
struct relaxed_leave : rundown_scenarios::nobody_inside_after_close<
                           weaker<P, operation::subtract, std::memory_order_release, relaxed>> {
  static constexpr auto about =
      scenario{.name = "rundown/relaxed_leave",
               .threads = 3,
               .claim = "if leaving does not release, the closer races with what was done inside",
               .expected = violation::data_race,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct relaxed_look : rundown_scenarios::nobody_inside_after_close<
                          weaker<P, operation::load, std::memory_order_acquire, relaxed>> {
  static constexpr auto about = scenario{
      .name = "rundown/relaxed_look",
      .threads = 3,
      .claim = "if the closer does not acquire, it races with the threads that were inside",
      .expected = violation::data_race,
      .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct destroyed_early : rundown_scenarios::destroyed_when_closed<
                             weaker<P, operation::subtract, std::memory_order_release, relaxed>> {
  static constexpr auto about = scenario{
      .name = "rundown/destroyed_early",
      .threads = 2,
      .claim = "if leaving does not release, the rundown is destroyed under the leaving thread",
      .expected = violation::use_after_free};
};

}  // namespace rundown_faults

using rundown_faults_list =
    scenario_list<rundown_faults::relaxed_leave, rundown_faults::relaxed_look,
                  rundown_faults::destroyed_early>;

}  // namespace fencepost::models
