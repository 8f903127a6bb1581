// Phanes keeps items in a plain array (PHANES-16). After a round through the buffer the owner
// stores a new item in the slot that a slow thief reads: a data race, whether or not the thief's
// exchange succeeds. chase_lev has atomic slots; chase_lev/slot_comes_round holds.
#pragma once

#include <atomic>

#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/models/published/phanes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace phanes_plain_slots_scenarios {

inline constexpr phanes_choices plain_slots = [] {
  phanes_choices choices = phanes_repaired;
  choices.atomic_slots = false;
  return choices;
}();

template <class P>
struct slot_comes_round {
  static constexpr auto about = scenario{
      .name = "published/phanes_plain_slots",
      .threads = 2,
      .claim = "with plain slots, the owner overwrites a slot that a slow thief still reads",
      .expected = violation::data_race};
  chase_lev_scenarios::counted_items<phanes_deque<unsigned, P, plain_slots>, 2, 2> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
      deque.push(1);
    } else {
      deque.steal(index);
    }
  }
};

}  // namespace phanes_plain_slots_scenarios

using phanes_plain_slots_list = scenario_list<phanes_plain_slots_scenarios::slot_comes_round>;

}  // namespace fencepost::models::published
