// Phanes keeps old buffers until the deque is destroyed (PHANES-26), since a thief may still read
// them (PHANES-27). Blitz describes its deques as Chase-Lev with wait-free operations (BLITZ-02);
// code that frees the old buffer as soon as it has grown lets a thief read freed memory.
// chase_lev keeps them; chase_lev/growth_against_two_thieves holds.
#pragma once

#include <atomic>

#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/models/published/phanes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace phanes_freed_buffer_scenarios {

inline constexpr phanes_choices freed_at_once = [] {
  phanes_choices choices = phanes_repaired;
  choices.keep_buffers = false;
  return choices;
}();

template <class P>
struct freed_buffer {
  static constexpr auto about =
      scenario{.name = "published/blitz_freed_buffer",
               .threads = 2,
               .claim = "if the old buffer is freed at once, a thief reads freed memory",
               .expected = violation::use_after_free};
  chase_lev_scenarios::counted_items<phanes_deque<unsigned, P, freed_at_once>, 2, 2> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
    } else {
      deque.steal(index);
    }
  }
};

}  // namespace phanes_freed_buffer_scenarios

using phanes_freed_buffer_list = scenario_list<phanes_freed_buffer_scenarios::freed_buffer>;

}  // namespace fencepost::models::published
