// Phanes publishes an item by push's release store of back (PHANES-15). A thief may learn of the
// item from the relaxed store of back in a later pop: since C++20 that store is not in the release
// sequence of push's, and nothing orders the item before the thief's read of it. Under C++11's
// release sequences (--model rc11) there is no such execution. chase_lev's pop stores back with an
// order that includes release; chase_lev/published_by_pop holds.
#pragma once

#include <atomic>

#include "fencepost/models/chase_lev/whole_items.hpp"
#include "fencepost/models/published/phanes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace phanes_pop_publishes_scenarios {

inline constexpr phanes_choices relaxed_pop_back = [] {
  phanes_choices choices = phanes_repaired;
  choices.pop_back = std::memory_order_relaxed;
  return choices;
}();

template <class P>
struct pop_publishes
    : chase_lev_scenarios::two_pushes_a_pop_and_a_thief<phanes_deque<unsigned, P, relaxed_pop_back>,
                                                        P> {
  static constexpr auto about =
      scenario{.name = "published/phanes_pop_publishes",
               .threads = 2,
               .claim = "a thief that reads the back stored by a pop obtains an unpublished item",
               .expected = violation::data_race};
};

}  // namespace phanes_pop_publishes_scenarios

using phanes_pop_publishes_list = scenario_list<phanes_pop_publishes_scenarios::pop_publishes>;

}  // namespace fencepost::models::published
