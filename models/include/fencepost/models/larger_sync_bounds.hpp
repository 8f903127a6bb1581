// The first claims of the components with which threads wait, at larger bounds, nightly: more
// threads, more operations. See larger_bounds.hpp.
#pragma once

#include <memory>

#include "fencepost/models/barrier/claims.hpp"
#include "fencepost/models/completion/claims.hpp"
#include "fencepost/models/core_latch/claims.hpp"
#include "fencepost/models/event_count/claims.hpp"
#include "fencepost/models/rundown/claims.hpp"
#include "fencepost/models/worker_sleep/sleeping_pool.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace larger_bounds {

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

// The waiter sleeps on each of three latches, which three threads set.
template <class P>
struct waits_three_times {
  static constexpr auto about = scenario{
      .name = "core_latch/waits_three_times_larger",
      .threads = 4,
      .claim = "a waiter may sleep on one latch after another, and is woken from each of three",
      .nightly = true};
  core_latch<P> latches[3];
  core_latch_scenarios::parker<P> here;
  void thread(unsigned index) {
    if (index == 0) {
      for (auto& latch : latches) here.wait(latch);
    } else if (latches[index - 1].set()) {
      require(here.wake(), "a waiter that must be woken is asleep");
    }
  }
};

template <class P>
struct three_results {
  static constexpr auto about =
      scenario{.name = "completion/three_results_larger",
               .threads = 4,
               .claim =
                   "a waiter of three records obtains each result, and each record may be "
                   "destroyed at once",
               .nightly = true};
  std::unique_ptr<completion<P>> records[3] = {std::make_unique<completion<P>>(),
                                               std::make_unique<completion<P>>(),
                                               std::make_unique<completion<P>>()};
  completion<P>* const known[3] = {records[0].get(), records[1].get(), records[2].get()};
  typename P::template plain<unsigned> results[3];
  void thread(unsigned index) {
    if (index != 0) {
      results[index - 1].set(index);
      return known[index - 1]->complete();
    }
    for (unsigned r = 0; r < 3; ++r) {
      records[r]->wait(2);
      records[r].reset();
      require(results[r].get() == r + 1, "the complete result is visible");
    }
  }
};

template <class P>
struct two_visits_each {
  static constexpr auto about =
      scenario{.name = "rundown/two_visits_each_larger",
               .threads = 4,
               .claim = "once close() returns no thread is inside, of three that enter twice",
               .nightly = true,
               .symmetric = {.first = 0, .count = 3}};
  rundown<P> entrance;
  typename P::template plain<unsigned> inside[3] = {typename P::template plain<unsigned>{0u},
                                                    typename P::template plain<unsigned>{0u},
                                                    typename P::template plain<unsigned>{0u}};
  unsigned entered[3] = {};
  void thread(unsigned index) {
    if (index == 3) {
      entrance.close();
      for (auto& side : inside) side.set(side.get() + 10);
      return;
    }
    for (unsigned visit = 0; visit < 2; ++visit) {
      if (!entrance.try_enter()) continue;
      ++entered[index];
      inside[index].set(inside[index].get() + 1);
      entrance.leave();
    }
  }
  void after() {
    for (unsigned index = 0; index < 3; ++index) {
      require(inside[index].get() == entered[index] + 10,
              "each visit that was let in happened before close() returned");
    }
  }
};

}  // namespace larger_bounds

using larger_sync_bounds_list =
    scenario_list<larger_bounds::workers_and_a_poster, larger_bounds::sleepers_and_wakers,
                  larger_bounds::four_phases, larger_bounds::waits_three_times,
                  larger_bounds::three_results, larger_bounds::two_visits_each>;

}  // namespace fencepost::models
