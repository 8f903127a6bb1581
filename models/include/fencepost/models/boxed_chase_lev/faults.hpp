// What becomes of boxes when the deque of pointers beneath is wrong: a scenario that must be
// violated. chase_lev/faults.hpp has one for each order.
#pragma once

#include <atomic>
#include <type_traits>

#include "fencepost/models/boxed_chase_lev/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace boxed_chase_lev_faults {

template <class P>
struct release_pop : boxed_chase_lev_scenarios::two_thieves_and_a_pop<
                         faults::weaker<P, faults::operation::store, std::memory_order_seq_cst,
                                        std::memory_order_release, std::is_integral>> {
  static constexpr auto about = scenario{
      .name = "boxed_chase_lev/release_pop",
      .threads = 3,
      .claim = "with a release store of back in pop, a box is freed while another thread owns it",
      .expected = violation::use_after_free,
      .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct release_pop_is_not_linearizable
    : chase_lev_scenarios::two_thieves_recorded<boxed_chase_lev_scenarios::recorded_boxes<
          faults::weaker<P, faults::operation::store, std::memory_order_seq_cst,
                         std::memory_order_release, std::is_integral>>> {
  static constexpr auto about =
      scenario{.name = "boxed_chase_lev/release_pop_is_not_linearizable",
               .threads = 3,
               .claim = "with a release store of back in pop, the results are not linearizable",
               .expected = violation::assertion};
};

}  // namespace boxed_chase_lev_faults

using boxed_chase_lev_faults_list =
    scenario_list<boxed_chase_lev_faults::release_pop,
                  boxed_chase_lev_faults::release_pop_is_not_linearizable>;

}  // namespace fencepost::models
