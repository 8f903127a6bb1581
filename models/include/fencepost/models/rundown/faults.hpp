// A rundown with weaker orders: scenarios that must be violated.
#pragma once

#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/rundown/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

using rundown_faults_list = scenario_list<
    order_fault<"rundown/relaxed_leave", rundown_scenarios::nobody_inside_after_close,
                "rundown.hpp:leave=relaxed", violation::data_race,
                "if leaving does not release, the closer races with what was done inside">::on,
    order_fault<"rundown/relaxed_look", rundown_scenarios::nobody_inside_after_close,
                "rundown.hpp:close=relaxed", violation::data_race,
                "if the closer does not acquire, it races with the threads that were inside">::on,
    order_fault<
        "rundown/destroyed_early", rundown_scenarios::destroyed_when_closed,
        "rundown.hpp:leave=relaxed", violation::use_after_free,
        "if leaving does not release, the rundown is destroyed under the leaving thread">::on>;

}  // namespace fencepost::models
