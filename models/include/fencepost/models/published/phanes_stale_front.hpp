// "The owner needs to see the most up-to-date value of front ... the acquire load is guaranteed to
// see it" (PHANES-13, in the article's sense). It is not: an acquire load may read an old value; it
// orders only what precedes the store that it reads. Here the owner knows that its item is stolen,
// and still grows the buffer. That does no harm: with an old front there only appears to be less
// room. The acquire is needed for another reason, see chase_lev/relaxed_push_front.
#pragma once

#include <atomic>

#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/models/published/phanes.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace phanes_stale_front_scenarios {

template <class P>
struct stale_front {
  static constexpr auto about = scenario{
      .name = "published/phanes_stale_front",
      .threads = 2,
      .claim = "an acquire load of front may read a stale value, and the deque grows early",
      .expected = violation::assertion};
  phanes_deque<unsigned, P, phanes_repaired> deque{1};
  typename P::template atomic<bool> stolen{false};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index != 0) {
      if (deque.steal().outcome == steal_outcome::stolen) {
        stolen.store(true, std::memory_order_relaxed);
      }
    } else if (stolen.load(std::memory_order_relaxed)) {
      deque.push(1);
      require(deque.capacity() == 1, "the owner observes that its only item is gone");
    }
  }
};

}  // namespace phanes_stale_front_scenarios

using phanes_stale_front_list = scenario_list<phanes_stale_front_scenarios::stale_front>;

}  // namespace fencepost::models::published
