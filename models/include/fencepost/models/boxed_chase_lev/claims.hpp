// The claims of the Chase-Lev deque of boxes beyond those of plain items; see chase_lev.hpp.
#pragma once

#include "fencepost/deque/boxed_chase_lev.hpp"
#include "fencepost/models/chase_lev/chase_lev_history.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace boxed_chase_lev_scenarios {

// Three boxes, and a buffer for one. The thread that obtains a box frees it; the deque frees the
// rest.
template <class P>
struct boxes_are_freed_once {
  static constexpr auto about = scenario{
      .name = "boxed_chase_lev/boxes_are_freed_once",
      .threads = 3,
      .claim = "each box is obtained exactly once, fully constructed, and freed exactly once",
      .symmetric = {.first = 1, .count = 2}};
  using item = typename P::template plain<unsigned>;
  boxed_chase_lev<item, P> deque{1};

  void before() { deque.emplace(7u); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.emplace(8u);
      deque.emplace(9u);
      if (const auto box = deque.pop())
        require(box->get() >= 7, "a popped item is fully published");
    } else if (const auto theft = deque.steal(); theft.item) {
      require(theft.outcome == steal_outcome::stolen, "a box was stolen");
      require(theft.item->get() >= 7, "a stolen item is fully published");
      theft.item->set(0);
    }
  }
};

// Two boxes, and three threads that try to obtain them.
template <class P>
struct two_thieves_and_a_pop {
  using item = typename P::template plain<unsigned>;
  boxed_chase_lev<item, P> deque{2};
  void before() {
    deque.emplace(7u);
    deque.emplace(8u);
  }
  void thread(unsigned index) {
    if (const auto box = index == 0 ? deque.pop() : deque.steal().item) box->set(0);
  }
};

template <class P>
struct box_goes_to_one : two_thieves_and_a_pop<P> {
  static constexpr auto about =
      scenario{.name = "boxed_chase_lev/box_goes_to_one",
               .threads = 3,
               .claim = "a box that the owner pops without an exchange is never stolen too",
               .symmetric = {.first = 1, .count = 2}};
};

template <class P>
using recorded_boxes = boxed_chase_lev<typename P::template plain<unsigned>, P>;

template <class P>
struct linearizable : chase_lev_scenarios::owner_and_thief_recorded<recorded_boxes<P>> {
  static constexpr auto about =
      scenario{.name = "boxed_chase_lev/linearizable",
               .threads = 2,
               .claim = "the results of an owner and a thief are linearizable"};
};

}  // namespace boxed_chase_lev_scenarios

using boxed_chase_lev_claims_list = scenario_list<boxed_chase_lev_scenarios::boxes_are_freed_once,
                                                  boxed_chase_lev_scenarios::box_goes_to_one,
                                                  boxed_chase_lev_scenarios::linearizable>;

}  // namespace fencepost::models
