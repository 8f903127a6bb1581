#include <atomic>
#include <memory>
#include <type_traits>

#include "fencepost/deque/boxed_chase_lev.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/private_deque.hpp"
#include "fencepost/deque/tail_split.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "planted_race.hpp"

namespace fencepost::models::planted {
namespace {

// The owner publishes a record, and a thief reads it in every execution, so that the race is there
// in the first one. The record is a bare int: what ThreadSanitizer finds needs no policy. The owner
// may continue to write to it, without an atomic, beside the slot that has published it.
enum class owner { leaves_it, writes_beside };

template <class Q, owner After = owner::leaves_it>
struct stolen_from_chase_lev {
  int record = 0;
  chase_lev<int*, Q> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      deque.push(&record);
      if (After == owner::writes_beside) record = 2;
    } else {
      auto theft = deque.steal();
      for (; theft.outcome != steal_outcome::stolen; theft = deque.steal()) Q::spin_pause();
      require(*theft.item != 0, "the record is fully published");
    }
  }
};

template <class Q>
struct stolen_box {
  boxed_chase_lev<int, Q> deque{2};
  void thread(unsigned index) {
    if (index == 0) return deque.emplace(1);
    auto theft = deque.steal();
    for (; !theft.item; theft = deque.steal()) Q::spin_pause();
    require(*theft.item == 1, "the box is fully published");
  }
};

template <class Q>
struct given_by_private_deque {
  int record = 0;
  private_deque<int*, Q> deque{2};
  typename private_deque<int*, Q>::request mine;
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      deque.push(&record);
      while (!deque.poll()) Q::spin_pause();
      return;
    }
    do {
      while (!deque.ask(mine)) Q::spin_pause();
      while (!mine.answered()) Q::spin_pause();
    } while (mine.result().outcome != steal_outcome::stolen);
    require(*mine.result().item != 0, "the record is fully published");
  }
};

template <class Q, template <class> class Word = iso_split_word, owner After = owner::leaves_it>
struct stolen_from_tail_split {
  int record = 0;
  tail_split<int*, Q, Word> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      record = 1;
      deque.push(&record);
      if (After == owner::writes_beside) record = 2;
    } else {
      auto* slot = deque.steal(this).task;
      for (; slot == nullptr; slot = deque.steal(this).task) Q::spin_pause();
      require(*slot->task.get() != 0, "the record is fully published");
      slot->complete();
    }
  }
};

// The owner waits for the thief's result.
template <class Q, template <class> class Word>
struct awaited_in_tail_split {
  tail_split<int, Q, Word> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
      while (!deque.top().completed()) Q::spin_pause();
      require(deque.top().task.get() == 2, "the result is visible");
    } else {
      auto* slot = deque.steal(this).task;
      for (; slot == nullptr; slot = deque.steal(this).task) Q::spin_pause();
      slot->task.set(2);
      slot->complete();
    }
  }
};

using relaxed_push = with_order<policy, "chase_lev.hpp:put=relaxed">;
using relaxed_answer = with_order<policy, "private_deque.hpp:answer=relaxed">;
using no_release_fence = with_order<policy, "tail_split.hpp:push.fence=removed">;
using no_acquire_fence = with_order<policy, "task_slot.hpp:completed.fence=removed">;

template <class Q>
using beside_chase_lev = stolen_from_chase_lev<Q, owner::writes_beside>;
template <class Q>
using beside_tail_split = stolen_from_tail_split<Q, iso_split_word, owner::writes_beside>;

template <template <class> class Word>
void add_of_word(std::vector<race>& races, const std::string& component) {
  races.push_back(
      plant<stolen_from_tail_split<no_release_fence, Word>, stolen_from_tail_split<policy, Word>>(
          component, "no_push_fence"));
  races.push_back(
      plant<awaited_in_tail_split<no_acquire_fence, Word>, awaited_in_tail_split<policy, Word>>(
          component, "no_acquire_fence"));
}

}  // namespace

std::vector<race> in_deques() {
  std::vector<race> races{
      plant<beside_chase_lev<policy>, stolen_from_chase_lev<policy>>("chase_lev",
                                                                     "write_beside_the_slot"),
      plant<beside_tail_split<policy>, stolen_from_tail_split<policy>>("tail_split",
                                                                       "write_beside_the_slot"),
      plant<stolen_from_chase_lev<relaxed_push>, stolen_from_chase_lev<policy>>("chase_lev",
                                                                                "relaxed_push"),
      plant<stolen_box<relaxed_push>, stolen_box<policy>>("boxed_chase_lev", "relaxed_push"),
      plant<given_by_private_deque<relaxed_answer>, given_by_private_deque<policy>>(
          "private_deque", "relaxed_answer"),
  };
  add_of_word<iso_split_word>(races, "tail_split");
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
  add_of_word<lace_split_word>(races, "tail_split_lace");
#endif
  return races;
}

}  // namespace fencepost::models::planted
