// Phanes's steal loads the pointer to the buffer relaxed (PHANES-22), although push stores it with
// release (PHANES-14): a thief that reads an old back and the new buffer does not synchronize with
// the owner that filled it. chase_lev loads it with acquire; chase_lev/new_buffer_old_back
// holds.
#pragma once

#include <atomic>

#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/models/published/phanes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace phanes_relaxed_buffer_scenarios {

inline constexpr phanes_choices relaxed_buffer = [] {
  phanes_choices choices = phanes_repaired;
  choices.steal_buffer = std::memory_order_relaxed;
  return choices;
}();

template <class P>
struct new_buffer_old_back {
  static constexpr auto about =
      scenario{.name = "published/phanes_relaxed_buffer",
               .threads = 2,
               .claim = "with a relaxed load of the buffer, a thief reads an unpublished buffer",
               .expected = violation::data_race};
  chase_lev_scenarios::counted_items<phanes_deque<unsigned, P, relaxed_buffer>, 2, 2> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
    } else {
      deque.steal(index);
    }
  }
};

}  // namespace phanes_relaxed_buffer_scenarios

using phanes_relaxed_buffer_list =
    scenario_list<phanes_relaxed_buffer_scenarios::new_buffer_old_back>;

}  // namespace fencepost::models::published
