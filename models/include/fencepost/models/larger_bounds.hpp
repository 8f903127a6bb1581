// The first claim of each component at larger bounds, nightly: more threads, more operations.
//
// "component/…_larger" is the larger version of a scenario in the component's own header; each
// takes from a second to a few minutes. For latches, events and sleep: larger_sync_bounds.hpp.
#pragma once

#include "fencepost/models/boxed_chase_lev/claims.hpp"
#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/models/external_slots/claims.hpp"
#include "fencepost/models/frame_handshake/claims.hpp"
#include "fencepost/models/injector/claims.hpp"
#include "fencepost/models/tail_split/counted_deque.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/models/task_runner/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models {

namespace larger_bounds {

template <class P, template <class> class Word>
struct split_deque {
  static constexpr auto about =
      scenario{.name = scenario_name<tail_split_scenarios::component<Word>, "two_thieves_larger">,
               .threads = 3,
               .claim =
                   "an owner of five tasks and two thieves of two steals each obtain every task "
                   "exactly once, while the owner shares tasks and takes them back",
               .nightly = true,
               .symmetric = {.first = 1, .count = 2}};
  tail_split_scenarios::counted_deque<P, Word, 3, 5> deque;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned task = 0; task < 5; ++task) deque.push(task);
      for (unsigned task = 0; task < 5; ++task) deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The buffer grows from one slot to four.
template <class P>
struct growing_deque {
  static constexpr auto about =
      scenario{.name = "chase_lev/growth_larger",
               .threads = 3,
               .claim =
                   "an owner of four items and two thieves of three steals each obtain every "
                   "item exactly once, while the buffer grows twice",
               .nightly = true,
               .symmetric = {.first = 1, .count = 2}};
  chase_lev_scenarios::counted<P, 3, 4> deque{1};
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 4; ++item) deque.push(item);
      for (unsigned item = 0; item < 4; ++item) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 3; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P>
struct submitters_and_workers {
  static constexpr auto about = scenario{
      .name = "external_slots/two_submitters_and_two_workers_larger",
      .threads = 4,
      .claim = "two submitters of three records and two workers: each record is taken exactly once",
      .nightly = true};
  external_slots<external_slots_scenarios::record<P>, P, 3> slots;
  external_slots_scenarios::record<P> records[3];
  void thread(unsigned index) {
    if (index < 2) {
      require(slots.try_submit(records[index]), "there is room");
      if (index == 0) require(slots.try_submit(records[2]), "there is room");
    } else {
      for (unsigned look = 0; look < 2; ++look) take(index);
    }
  }
  void after() {
    while (take(0)) continue;
    for (auto& r : records) require(r.times.get() == 1, "each record is taken exactly once");
  }
  bool take(std::uint32_t begin) {
    auto* const taken = slots.take(begin);
    if (taken != nullptr) taken->times.set(taken->times.get() + 1);
    return taken != nullptr;
  }
};

template <class P>
struct pushers_and_poppers {
  static constexpr auto about =
      scenario{.name = "injector/two_pushers_and_two_poppers_larger",
               .threads = 4,
               .claim = "two producers and two consumers lose and duplicate no job",
               .nightly = true};
  injector_scenarios::counted_queue<P, 4, 3> queue;
  void thread(unsigned index) {
    if (index < 2) {
      queue.push(index);
      if (index == 0) queue.push(2);
    } else {
      queue.pop(index);
      if (index == 2) queue.pop(2);
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct three_initiators : frame_handshake_scenarios::several_frames<P, 3, 3> {
  static constexpr auto about =
      scenario{.name = "frame_handshake/three_initiators_larger",
               .threads = 3,
               .claim = "three workers may start a frame concurrently: all of them run each frame",
               .nightly = true};
};

// Boxes are freed by the threads that obtained them.
template <class P>
struct boxes_of_four {
  static constexpr auto about = scenario{
      .name = "boxed_chase_lev/four_boxes_larger",
      .threads = 3,
      .claim = "of four boxes an owner and two thieves of two steals each free each exactly once",
      .nightly = true,
      .symmetric = {.first = 1, .count = 2}};
  using item = typename P::template plain<unsigned>;
  boxed_chase_lev<item, P> deque{1};
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned box = 0; box < 4; ++box) deque.emplace(box);
      for (unsigned box = 0; box < 2; ++box) use(deque.pop());
    } else {
      for (unsigned attempt = 0; attempt < 2; ++attempt) use(deque.steal().item);
    }
  }
  static void use(auto box) {
    if (box != nullptr) box->set(box->get() + 4);
  }
};

template <class P>
struct three_posts : task_runner_scenarios::one_inbox<P, task_runner_scenarios::runner> {
  static constexpr auto about = scenario{
      .name = "task_runner/three_posts_larger",
      .threads = 3,
      .claim = "of two posters, one of two tasks, no task is left behind a sleeping runner",
      .timeouts = 0,
      .nightly = true};
  typename P::template plain<unsigned> third;
  void thread(unsigned index) {
    if (index == 0) {
      require(this->run(3) == 6, "each task runs exactly once");
    } else if (index == 1) {
      this->post(0);
      this->post(1);
    } else {
      third.set(3);
      this->inbox.post(task_runner_scenarios::note<P>{&third});
    }
  }
};

}  // namespace larger_bounds

using larger_bounds_list =
    lists<scenario_list<with_word<larger_bounds::split_deque, iso_split_word>::template scenario>,
          needs_halves<scenario_list<
              with_word<larger_bounds::split_deque, lace_split_word>::template scenario>>,
          scenario_list<larger_bounds::growing_deque, larger_bounds::boxes_of_four,
                        larger_bounds::submitters_and_workers, larger_bounds::pushers_and_poppers,
                        larger_bounds::three_initiators, larger_bounds::three_posts>>;

}  // namespace fencepost::models
