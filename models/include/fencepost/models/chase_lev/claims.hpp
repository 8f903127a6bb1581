// The claims of the Chase-Lev deque, one scenario each.
//
// Items are numbers; thread 0 is the owner, the others are thieves. The scenarios in faults.hpp
// must be violated.
#pragma once

#include "fencepost/models/chase_lev/chase_lev_history.hpp"
#include "fencepost/models/chase_lev/circular_buffer.hpp"
#include "fencepost/models/chase_lev/items_obtained_once.hpp"
#include "fencepost/models/chase_lev/steal_results.hpp"
#include "fencepost/models/chase_lev/whole_items.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

using chase_lev_claims_list = scenario_list<
    chase_lev_scenarios::last_item_contended, chase_lev_scenarios::steal_against_pop,
    chase_lev_scenarios::pop_against_two_thieves, chase_lev_scenarios::owner_and_two_thieves,
    chase_lev_scenarios::owner_steals_too, chase_lev_scenarios::push_after_empty,
    chase_lev_scenarios::growth_against_two_thieves, chase_lev_scenarios::three_thieves,
    chase_lev_scenarios::new_buffer_old_back, chase_lev_scenarios::slot_comes_round,
    chase_lev_scenarios::item_is_whole, chase_lev_scenarios::published_by_pop,
    chase_lev_scenarios::empty_is_true, chase_lev_scenarios::retry_is_another_s_success,
    chase_lev_scenarios::pushes_turn_no_thief_away, chase_lev_scenarios::full_deque_loses_nothing,
    chase_lev_scenarios::result_comes_back, chase_lev_scenarios::linearizable,
    chase_lev_scenarios::linearizable_with_two_thieves>;

}  // namespace fencepost::models
