// The components' first claim at larger bounds, for the night: more threads, more operations.
//
// "component/…_larger" is what the scenarios of the component's own header check with less; each
// takes from some seconds to some minutes.
#pragma once

#include "fencepost/models/barrier/claims.hpp"
#include "fencepost/models/chase_lev/claims.hpp"
#include "fencepost/models/event_count/claims.hpp"
#include "fencepost/models/external_slots/claims.hpp"
#include "fencepost/models/frame_handshake/claims.hpp"
#include "fencepost/models/injector/claims.hpp"
#include "fencepost/models/tail_split/claims.hpp"
#include "fencepost/models/worker_sleep/claims.hpp"
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
struct workers_and_a_poster {
  static constexpr auto about = scenario{
      .name = "worker_sleep/two_sleepers_larger",
      .threads = 3,
      .claim = "two jobs wake two workers, despite spurious wake-ups and spurious failures",
      .timeouts = 0,
      .nightly = true};
  worker_sleep_scenarios::pool<P> jobs{2};
  void thread(unsigned index) {
    if (index < 2) {
      require(jobs.find(index), "each worker finds a job");
    } else {
      jobs.post(2);
    }
  }
  void after() { jobs.is_quiet(); }
};

template <class P>
struct sleepers_and_wakers {
  static constexpr auto about =
      scenario{.name = "event_count/two_sleepers_and_two_wakers_larger",
               .threads = 4,
               .claim = "two waiters and two notifiers: no wake-up is lost",
               .timeouts = 0,
               .nightly = true,
               .symmetric = {.first = 0, .count = 2}};
  event_count<P> idle;
  event_count_scenarios::work_pile<P> pile;
  void thread(unsigned index) {
    if (index < 2) {
      idle.await([&] { return pile.take() != 0; });
    } else {
      pile.add();
      idle.notify_one();
    }
  }
  void after() { require(!pile.any(), "no work is left"); }
};

template <class P>
struct four_phases : barrier_scenarios::hand_over<P, 4, 0> {
  static constexpr auto about = scenario{.name = "barrier/phases_follow_each_other_larger",
                                         .threads = 2,
                                         .claim = "a barrier is reusable when its waiters park",
                                         .nightly = true};
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

}  // namespace larger_bounds

using larger_bounds_list =
    lists<scenario_list<with_word<larger_bounds::split_deque, iso_split_word>::template scenario>,
          needs_halves<scenario_list<
              with_word<larger_bounds::split_deque, lace_split_word>::template scenario>>,
          scenario_list<larger_bounds::growing_deque, larger_bounds::workers_and_a_poster,
                        larger_bounds::sleepers_and_wakers, larger_bounds::four_phases,
                        larger_bounds::submitters_and_workers, larger_bounds::pushers_and_poppers,
                        larger_bounds::three_initiators>>;

}  // namespace fencepost::models
