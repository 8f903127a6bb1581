// The split deque without each of its fences and orders in turn: scenarios that must be violated.
#pragma once

#include "fencepost/deque/split_word.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/tail_split/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace tail_split_faults {

using tail_split_scenarios::component;
using tail_split_scenarios::shrink_race;

// A word on which a thief's exchange ignores that the split has changed since the thief read it.
template <class P>
struct stale_split_word : iso_split_word<P> {
  bool take(split_point seen) noexcept {
    const split_point now = this->load();
    return now.tail == seen.tail && iso_split_word<P>::take(now);
  }
};

template <class P>
struct stale_split_take : shrink_race<P, stale_split_word, 1, 1> {
  static constexpr auto about = scenario{
      .name = "tail_split/stale_split_take",
      .threads = 2,
      .claim =
          "a compare-exchange that ignores a changed split takes a task that the owner took back",
      .expected = violation::assertion};
};

// A frame that begins and ends while a thief may be stealing.
template <class P, template <class> class Word>
struct frame_without_meeting : tail_split_scenarios::frame_hides_and_gives_back<P, Word> {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "frame_without_meeting">,
      .threads = 2,
      .claim = "if a thief steals while a frame begins or ends, it takes a task that the owner has",
      .expected = violation::data_race};
  void thread(unsigned index) {
    if (index != 0) return this->steal();
    this->push(0);
    this->push(1);
    const auto hidden = this->deque.enter_frame();
    this->deque.leave_frame(hidden);
    this->pop();
    this->pop();
    this->push(2);
    this->pop();
  }
};

template <class P>
struct stale_take_is_not_linearizable
    : tail_split_scenarios::all_are_after_two_tasks<P, stale_split_word> {
  static constexpr auto about = scenario{
      .name = "tail_split/stale_take_is_not_linearizable",
      .threads = 3,
      .claim =
          "with a compare-exchange that ignores a changed split, the results are not linearizable",
      .expected = violation::assertion};
};

template <class P>
using shrink_of_one = shrink_race<P, lace_split_word, 1, 1>;

template <class P>
struct shrink_recorded : tail_split_scenarios::all_are_after_two_tasks<P, lace_split_word> {
  static constexpr auto about = scenario{.name = {}, .threads = 3};
};

}  // namespace tail_split_faults

namespace detail {
template <template <class> class Word, template_text NoPushFence, template_text RelaxedCompletion,
          template_text NoAcquireFence>
using tail_split_fault_list_on = scenario_list<
    order_fault<
        NoPushFence, with_word<tail_split_scenarios::result_reaches_owner, Word>::template scenario,
        "tail_split.hpp:push.fence=removed", violation::data_race,
        "without the release fence in push, a thief reads an unpublished task">::template on,
    order_fault<RelaxedCompletion,
                with_word<tail_split_scenarios::result_reaches_owner, Word>::template scenario,
                "task_slot.hpp:complete=relaxed", violation::data_race,
                "with a relaxed completion, the owner reads an unpublished result">::template on,
    order_fault<NoAcquireFence,
                with_word<tail_split_scenarios::result_reaches_owner, Word>::template scenario,
                "task_slot.hpp:completed.fence=removed", violation::data_race,
                "without the acquire fence after the poll, the owner reads the result too early">::
        template on,
    with_word<tail_split_faults::frame_without_meeting, Word>::template scenario>;
}  // namespace detail

using tail_split_faults_list = lists<
    detail::tail_split_fault_list_on<iso_split_word, "tail_split/no_push_fence",
                                     "tail_split/relaxed_completion",
                                     "tail_split/no_acquire_fence">,
    scenario_list<
        order_fault<"tail_split/relaxed_take",
                    with_word<tail_split_scenarios::result_reaches_owner, iso_split_word>::scenario,
                    "split_word.hpp:iso.take=relaxed", violation::data_race,
                    "with a relaxed compare-exchange, a thief reads an unpublished task">::on,
        tail_split_faults::stale_split_take, tail_split_faults::stale_take_is_not_linearizable>,
    needs_halves<lists<
        detail::tail_split_fault_list_on<lace_split_word, "tail_split_lace/no_push_fence",
                                         "tail_split_lace/relaxed_completion",
                                         "tail_split_lace/no_acquire_fence">,
        scenario_list<
            order_fault<"tail_split_lace/no_shrink_fence", tail_split_faults::shrink_of_one,
                        "split_word.hpp:lace.lower.fence=removed", violation::assertion,
                        "without the fence in shrink, an owner and a thief take the same task">::on,
            order_fault<"tail_split_lace/acq_rel_take", tail_split_faults::shrink_of_one,
                        "split_word.hpp:lace.take=acq_rel", violation::assertion,
                        "the fence in shrink needs a sequentially consistent compare-exchange as "
                        "its partner">::on,
            order_fault<"tail_split_lace/fenceless_shrink_is_not_linearizable",
                        tail_split_faults::shrink_recorded,
                        "split_word.hpp:lace.lower.fence=removed", violation::assertion,
                        "without the fence in shrink, the results are not linearizable">::on>>>>;

}  // namespace fencepost::models
