#include <atomic>
#include <type_traits>

#include "fencepost/models/boxed_chase_lev.hpp"
#include "fencepost/models/chase_lev_faults.hpp"
#include "fencepost/models/faults.hpp"
#include "fencepost/models/tail_split_faults.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// The owner writes to a record that it has pushed, beside the slot that publishes it. The record is
// a bare int: what ThreadSanitizer finds needs no policy.
template <bool Writes>
struct write_beside_chase_lev {
  int record = 0;
  chase_lev<int*, P> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      deque.push(&record);
      if (Writes) record = 2;
    } else if (const auto theft = deque.steal(); theft.outcome == steal_outcome::stolen) {
      require(*theft.item != 0, "the record is there");
    }
  }
};

template <bool Writes>
struct write_beside_tail_split {
  int record = 0;
  tail_split<int*, P> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      deque.push(&record);
      if (Writes) record = 2;
    } else if (auto* slot = deque.steal(this).task) {
      require(*slot->task.get() != 0, "the record is there");
      slot->complete();
    }
  }
};

template <class Q>
using boxes = boxed_chase_lev_scenarios::boxes_are_freed_once<Q>;
using relaxed_push = faults::weaker<P, faults::operation::store, std::memory_order_release,
                                    std::memory_order_relaxed, std::is_integral>;

}  // namespace

std::vector<race> in_deques() {
  return {
      plant<write_beside_chase_lev<true>, write_beside_chase_lev<false>>("chase_lev",
                                                                         "write_beside_the_slot"),
      plant<write_beside_tail_split<true>, write_beside_tail_split<false>>("tail_split",
                                                                           "write_beside_the_slot"),
      plant<chase_lev_faults::relaxed_push<P>, chase_lev_scenarios::published_by_pop<P>>(
          "chase_lev", "relaxed_push"),
      plant<tail_split_faults::no_push_fence<P, iso_split_word>,
            tail_split_scenarios::result_reaches_owner<P, iso_split_word>>("tail_split",
                                                                           "no_push_fence"),
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
      plant<tail_split_faults::no_acquire_fence<P, lace_split_word>,
            tail_split_scenarios::result_reaches_owner<P, lace_split_word>>("tail_split_lace",
                                                                            "no_acquire_fence"),
#endif
      plant<boxes<relaxed_push>, boxes<P>, 3>("boxed_chase_lev", "relaxed_push"),
  };
}

}  // namespace fencepost::models::planted
