// What the split deque would be without each of its fences and orders: scenarios that must be
// violated. Each is a scenario of tail_split.hpp on a policy or a word with one fault.
#pragma once

#include <atomic>

#include "fencepost/deque/split_word.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/tail_split/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace tail_split_faults {

using faults::operation;
using tail_split_scenarios::component;
using tail_split_scenarios::result_reaches_owner;
using tail_split_scenarios::shrink_race;

// A word whose thieves look at the split first, and exchange without having looked again.
template <class P>
struct stale_split_word : iso_split_word<P> {
  bool take(split_point seen) noexcept {
    const split_point now = this->load();
    return now.tail == seen.tail && iso_split_word<P>::take(now);
  }
};

template <class P, template <class> class Word>
struct no_push_fence
    : result_reaches_owner<faults::without_fence<P, std::memory_order_release>, Word> {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "no_push_fence">,
               .threads = 2,
               .claim = "without the release fence in push, a thief reads an unpublished task",
               .expected = violation::data_race};
};

template <class P, template <class> class Word>
struct relaxed_completion
    : result_reaches_owner<
          faults::weaker<P, operation::store, std::memory_order_release, std::memory_order_relaxed>,
          Word> {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "relaxed_completion">,
               .threads = 2,
               .claim = "with a relaxed completion, the owner reads an unpublished result",
               .expected = violation::data_race};
};

template <class P, template <class> class Word>
struct no_acquire_fence
    : result_reaches_owner<faults::without_fence<P, std::memory_order_acquire>, Word> {
  static constexpr auto about = scenario{
      .name = scenario_name<component<Word>, "no_acquire_fence">,
      .threads = 2,
      .claim = "without the acquire fence after the poll, the owner reads the result too early",
      .expected = violation::data_race};
};

template <class P>
struct relaxed_take
    : result_reaches_owner<faults::weaker<P, operation::compare_exchange, std::memory_order_acquire,
                                          std::memory_order_relaxed>,
                           iso_split_word> {
  static constexpr auto about =
      scenario{.name = "tail_split/relaxed_take",
               .threads = 2,
               .claim = "with a relaxed compare-exchange, a thief reads an unpublished task",
               .expected = violation::data_race};
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

template <class P>
struct no_shrink_fence
    : shrink_race<faults::without_fence<P, std::memory_order_seq_cst>, lace_split_word, 1, 1> {
  static constexpr auto about =
      scenario{.name = "tail_split_lace/no_shrink_fence",
               .threads = 2,
               .claim = "without the fence in shrink, an owner and a thief take the same task",
               .expected = violation::assertion};
};

template <class P>
struct acq_rel_take : shrink_race<faults::acq_rel_exchanges<P>, lace_split_word, 1, 1> {
  static constexpr auto about = scenario{
      .name = "tail_split_lace/acq_rel_take",
      .threads = 2,
      .claim =
          "the fence in shrink needs a sequentially consistent compare-exchange as its partner",
      .expected = violation::assertion};
};

// A frame that begins and ends while a thief is about.
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
struct fenceless_shrink_is_not_linearizable
    : tail_split_scenarios::all_are_after_two_tasks<
          faults::without_fence<P, std::memory_order_seq_cst>, lace_split_word> {
  static constexpr auto about =
      scenario{.name = "tail_split_lace/fenceless_shrink_is_not_linearizable",
               .threads = 3,
               .claim = "without the fence in shrink, the results are not linearizable",
               .expected = violation::assertion};
};

}  // namespace tail_split_faults

namespace detail {
template <template <class> class Word>
using tail_split_fault_list_on =
    scenario_list<with_word<tail_split_faults::no_push_fence, Word>::template scenario,
                  with_word<tail_split_faults::relaxed_completion, Word>::template scenario,
                  with_word<tail_split_faults::no_acquire_fence, Word>::template scenario,
                  with_word<tail_split_faults::frame_without_meeting, Word>::template scenario>;
}  // namespace detail

using tail_split_faults_list =
    lists<detail::tail_split_fault_list_on<iso_split_word>,
          scenario_list<tail_split_faults::relaxed_take, tail_split_faults::stale_split_take,
                        tail_split_faults::stale_take_is_not_linearizable>,
          needs_halves<lists<
              detail::tail_split_fault_list_on<lace_split_word>,
              scenario_list<tail_split_faults::no_shrink_fence, tail_split_faults::acq_rel_take,
                            tail_split_faults::fenceless_shrink_is_not_linearizable>>>>;

}  // namespace fencepost::models
