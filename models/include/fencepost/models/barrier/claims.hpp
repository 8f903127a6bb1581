// The claims of the barrier, one scenario each. The scenarios in faults.hpp must be violated.
#pragma once

#include <memory>

#include "fencepost/models/barrier/store_buffering.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models {

namespace barrier_scenarios {

inline constexpr barrier_options uncounted{.counts_leavers = false};

// Each thread writes its cell before the barrier, and reads all of them after it.
template <class P, unsigned Threads, std::uint32_t Spins>
struct exchange_of_all {
  barrier<P> meeting{Threads, Spins};
  typename P::template plain<unsigned> cells[Threads];
  void thread(unsigned index) {
    cells[index].set(index + 1);
    meeting.wait();
    for (unsigned other = 0; other < Threads; ++other) {
      require(cells[other].get() == other + 1, "everything before the barrier is visible");
    }
  }
};

template <class P>
struct all_to_all : exchange_of_all<P, 2, 1> {
  static constexpr auto about = scenario{
      .name = "barrier/all_to_all",
      .threads = 2,
      .claim =
          "everything sequenced before a thread's wait happens before every return of that phase",
      .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct all_to_all_spinning : exchange_of_all<P, 3, spin_for_ever> {
  static constexpr auto about = scenario{.name = "barrier/all_to_all_spinning",
                                         .threads = 3,
                                         .claim = "the same for three threads that spin",
                                         .symmetric = {.first = 0, .count = 3}};
};

template <class P>
struct all_to_all_parked : exchange_of_all<P, 3, 0> {
  static constexpr auto about =
      scenario{.name = "barrier/all_to_all_parked",
               .threads = 3,
               .claim = "the same when the waiters park, and every waiter is woken",
               .symmetric = {.first = 0, .count = 3}};
};

// A cell goes to the other thread in each phase: phase p belongs to thread p % 2.
template <class P, unsigned Phases, std::uint32_t Spins>
struct hand_over {
  barrier<P> meeting{2, Spins};
  typename P::template plain<unsigned> cell{0};
  void thread(unsigned index) {
    for (unsigned phase = 0; phase < Phases; ++phase) {
      if (phase % 2 == index) {
        require(cell.get() == phase, "the previous phase is over");
        cell.set(phase + 1);
      }
      meeting.wait();
    }
  }
};

template <class P>
struct phases_follow_each_other : hand_over<P, 3, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/phases_follow_each_other",
               .threads = 2,
               .claim = "a barrier is reusable: each phase synchronizes like the first"};
};

template <class P>
struct phases_follow_each_other_parked : hand_over<P, 3, 0> {
  static constexpr auto about = scenario{.name = "barrier/phases_follow_each_other_parked",
                                         .threads = 2,
                                         .claim = "the same when the waiters park",
                                         .spurious_wakeups = 0};
};

// Three threads, two phases: a thread that leaves the first phase late meets one in the second.
template <class P>
struct phases_of_three {
  static constexpr auto about = scenario{
      .name = "barrier/phases_of_three",
      .threads = 3,
      .claim = "a thread that is slow to leave one phase is not carried along into the next"};
  barrier<P> meeting{3, spin_for_ever};
  typename P::template plain<unsigned> cell{0};
  void thread(unsigned index) {
    if (index == 0) cell.set(1);
    meeting.wait();
    require(index == 0 || cell.get() == 1, "the first phase is over");
    meeting.wait();
    if (index == 1) cell.set(2);
  }
};

template <class P>
struct one_is_the_last {
  static constexpr auto about = scenario{
      .name = "barrier/one_is_the_last",
      .threads = 2,
      .claim = "in each phase, wait() returns true to exactly one thread: the last to arrive",
      .symmetric = {.first = 0, .count = 2}};
  barrier<P> meeting{2, spin_for_ever};
  bool last[2][2] = {};  // by thread and phase; each row is written by its thread only
  void thread(unsigned index) {
    for (bool& mine : last[index]) mine = meeting.wait();
  }
  void after() {
    require(last[0][0] != last[1][0] && last[0][1] != last[1][1],
            "exactly one of the two was the last");
  }
};

template <class P>
struct last_step {
  static constexpr auto about = scenario{
      .name = "barrier/last_step",
      .threads = 3,
      .claim = "the last arrival's step happens after every arrival and before every return",
      .symmetric = {.first = 0, .count = 3}};
  barrier<P> meeting{3, 0};
  typename P::template plain<unsigned> cells[3];
  typename P::template plain<unsigned> sum{0};
  void thread(unsigned index) {
    cells[index].set(index + 1);
    meeting.wait([this] { sum.set(cells[0].get() + cells[1].get() + cells[2].get()); });
    require(sum.get() == 6, "every thread observes the last arrival's step");
  }
};

// The thread that `LastDestroys` selects destroys the barrier as soon as its own wait has returned.
template <class P, bool LastDestroys, std::uint32_t Spins,
          barrier_options Options = barrier_options{}>
struct short_life {
  std::unique_ptr<barrier<P, Options>> meeting = std::make_unique<barrier<P, Options>>(2, Spins);
  void thread(unsigned) {
    if (meeting->wait() == LastDestroys) meeting.reset();
  }
};

template <class P>
struct may_die_after_the_last_wait : short_life<P, false, spin_for_ever> {
  static constexpr auto about = scenario{.name = "barrier/may_die_after_the_last_wait",
                                         .threads = 2,
                                         .claim =
                                             "a thread that has left may destroy the barrier: the "
                                             "destructor waits for the last arrival",
                                         .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct may_die_after_the_last_wait_parked : short_life<P, false, 0> {
  static constexpr auto about =
      scenario{.name = "barrier/may_die_after_the_last_wait_parked",
               .threads = 2,
               .claim = "the same when the last arrival must first wake that thread",
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct last_may_destroy : short_life<P, true, 0> {
  static constexpr auto about = scenario{.name = "barrier/last_may_destroy",
                                         .threads = 2,
                                         .claim =
                                             "the last arrival may destroy the barrier: the "
                                             "destructor waits for the threads still leaving",
                                         .symmetric = {.first = 0, .count = 2}};
};

// Thread 0 destroys the barrier once it has left the second phase.
template <class P>
struct life_of_two_phases {
  static constexpr auto about =
      scenario{.name = "barrier/life_of_two_phases",
               .threads = 2,
               .claim = "a barrier may be destroyed right after the second of two phases"};
  std::unique_ptr<barrier<P>> meeting = std::make_unique<barrier<P>>(2, spin_for_ever);
  void thread(unsigned index) {
    meeting->wait();
    meeting->wait();
    if (index == 0) meeting.reset();
  }
};

// A barrier that does not count leaving threads lives longer than its threads.
template <class P>
struct leavers_uncounted {
  static constexpr auto about =
      scenario{.name = "barrier/leavers_uncounted",
               .threads = 3,
               .claim = "without the count of leaving threads, each phase synchronizes as well"};
  barrier<P, uncounted> meeting{3, spin_for_ever};
  typename P::template plain<unsigned> cells[3];
  void thread(unsigned index) {
    cells[index].set(1);
    meeting.wait();
    for (const auto& cell : cells) require(cell.get() == 1, "the first phase is over");
    meeting.wait();
    cells[(index + 1) % 3].set(2);
  }
};

}  // namespace barrier_scenarios

using barrier_claims_list =
    scenario_list<barrier_scenarios::all_to_all, barrier_scenarios::all_to_all_spinning,
                  barrier_scenarios::all_to_all_parked, barrier_scenarios::phases_follow_each_other,
                  barrier_scenarios::phases_follow_each_other_parked,
                  barrier_scenarios::phases_of_three, barrier_scenarios::one_is_the_last,
                  barrier_scenarios::last_step, barrier_scenarios::may_die_after_the_last_wait,
                  barrier_scenarios::may_die_after_the_last_wait_parked,
                  barrier_scenarios::last_may_destroy, barrier_scenarios::life_of_two_phases,
                  barrier_scenarios::store_load, barrier_scenarios::store_load_inside,
                  barrier_scenarios::leavers_uncounted, barrier_scenarios::outsider_with_fence,
                  barrier_scenarios::outsider_without_fence>;

}  // namespace fencepost::models
