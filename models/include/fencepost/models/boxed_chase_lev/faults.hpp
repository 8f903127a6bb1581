// What happens to boxes when the deque of pointers beneath is wrong: a scenario that must be
// violated. chase_lev/faults.hpp has one for each order.
#pragma once

#include "fencepost/models/boxed_chase_lev/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace boxed_chase_lev_faults {

template <class P>
struct two_thieves_recorded
    : chase_lev_scenarios::two_thieves_recorded<boxed_chase_lev_scenarios::recorded_boxes<P>> {
  static constexpr auto about = scenario{.name = {}, .threads = 3};
};

}  // namespace boxed_chase_lev_faults

using boxed_chase_lev_faults_list = scenario_list<
    order_fault<
        "boxed_chase_lev/release_pop", boxed_chase_lev_scenarios::box_goes_to_one,
        "chase_lev.hpp:pop.back=release", violation::use_after_free,
        "with a release store of back in pop, a box is freed while another thread owns it">::on,
    order_fault<"boxed_chase_lev/release_pop_is_not_linearizable",
                boxed_chase_lev_faults::two_thieves_recorded, "chase_lev.hpp:pop.back=release",
                violation::assertion,
                "with a release store of back in pop, the results are not linearizable">::on>;

}  // namespace fencepost::models
