// The claims of the split deque, one scenario each, on both of its words.
//
// "tail_split/…" runs on iso_split_word, "tail_split_lace/…" on lace_split_word. Tasks are numbers;
// thread 0 is the owner, the others are thieves. The scenarios in faults.hpp must be violated.
#pragma once

#include "fencepost/deque/split_word.hpp"
#include "fencepost/models/tail_split/constructed_slots.hpp"
#include "fencepost/models/tail_split/split_deque_frame.hpp"
#include "fencepost/models/tail_split/split_deque_history.hpp"
#include "fencepost/models/tail_split/steal_requests.hpp"
#include "fencepost/models/tail_split/stolen_tasks.hpp"
#include "fencepost/models/tail_split/tasks_obtained_once.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace detail {
template <template <class> class Word>
using tail_split_list_on = scenario_list<
    with_word<tail_split_scenarios::last_task_contended, Word>::template scenario,
    with_word<tail_split_scenarios::steal_against_pop, Word>::template scenario,
    with_word<tail_split_scenarios::grow_against_steal, Word>::template scenario,
    with_word<tail_split_scenarios::shrink_against_steal, Word>::template scenario,
    with_word<tail_split_scenarios::shrink_against_two_thieves, Word>::template scenario,
    with_word<tail_split_scenarios::two_thieves, Word>::template scenario,
    with_word<tail_split_scenarios::word_comes_back, Word>::template scenario,
    with_word<tail_split_scenarios::push_above_stolen, Word>::template scenario,
    with_word<tail_split_scenarios::full_deque_loses_nothing, Word>::template scenario,
    with_word<tail_split_scenarios::slots_made_late, Word>::template scenario,
    with_word<tail_split_scenarios::made_above_stolen, Word>::template scenario,
    with_word<tail_split_scenarios::frame_hides_and_gives_back, Word>::template scenario,
    with_word<tail_split_scenarios::result_reaches_owner, Word>::template scenario,
    with_word<tail_split_scenarios::slot_is_used_again, Word>::template scenario,
    with_word<tail_split_scenarios::owner_finds_thief, Word>::template scenario,
    with_word<tail_split_scenarios::leapfrog, Word>::template scenario,
    with_word<tail_split_scenarios::request_is_answered, Word>::template scenario,
    with_word<tail_split_scenarios::request_waits_for_work, Word>::template scenario,
    with_word<tail_split_scenarios::linearizable, Word>::template scenario,
    with_word<tail_split_scenarios::linearizable_with_two_thieves, Word>::template scenario>;
}  // namespace detail

using tail_split_claims_list = lists<detail::tail_split_list_on<iso_split_word>,
                                     needs_halves<detail::tail_split_list_on<lace_split_word>>>;

}  // namespace fencepost::models
