// "The exchange provides correctness. The fence reduces contention" (PHANES-18, in the article's
// sense). Without the fence in pop, the owner takes an item on the path that has no exchange while
// thieves take it as well. With the fence, and the other repairs, the steps are right (PHANES-17).
//
// With both fences, neither exchange has to be sequentially consistent (PHANES-25). The thief's
// needs only release (PHANES-24; chase_lev/acquire_steal_exchange): it pairs with the owner's
// acquire load of front, and orders the thief's read of a slot before its reuse; the owner's may be
// relaxed.
#pragma once

#include <atomic>

#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/models/chase_lev/items_obtained_once.hpp"
#include "fencepost/models/published/phanes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace phanes_fence_scenarios {

inline constexpr phanes_choices no_pop_fence = [] {
  phanes_choices choices = phanes_repaired;
  choices.pop_fence = false;
  return choices;
}();
inline constexpr phanes_choices weak_exchanges = [] {
  phanes_choices choices = phanes_repaired;
  choices.pop_exchange = std::memory_order_relaxed;
  choices.steal_exchange = std::memory_order_release;
  return choices;
}();

template <class P>
struct without
    : chase_lev_scenarios::two_thieves_and_a_pop<phanes_deque<unsigned, P, no_pop_fence>> {
  static constexpr auto about = scenario{
      .name = "published/phanes_no_pop_fence",
      .threads = 3,
      .claim = "without the fence in pop, the compare-exchange alone lets an item be taken twice",
      .expected = violation::assertion};
};

template <class P>
struct with
    : chase_lev_scenarios::two_thieves_and_a_pop<phanes_deque<unsigned, P, phanes_repaired>> {
  static constexpr auto about = scenario{
      .name = "published/phanes_steps",
      .threads = 3,
      .claim = "with both fences and the other repairs, each item is obtained exactly once"};
};

// The owner pops both items, the second by an exchange.
template <class P>
struct with_weak_exchanges {
  static constexpr auto about = scenario{
      .name = "published/phanes_weak_exchanges",
      .threads = 3,
      .claim = "with both fences, no compare-exchange needs to be sequentially consistent"};
  chase_lev_scenarios::counted_items<phanes_deque<unsigned, P, weak_exchanges>, 3, 3> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
      deque.pop();
      deque.pop();
      deque.push(2);
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

}  // namespace phanes_fence_scenarios

using phanes_fence_list =
    scenario_list<phanes_fence_scenarios::without, phanes_fence_scenarios::with,
                  phanes_fence_scenarios::with_weak_exchanges>;

}  // namespace fencepost::models::published
