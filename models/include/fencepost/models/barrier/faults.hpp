// What the barrier would be without each of its orders and steps: scenarios that must be violated.
#pragma once

#include <atomic>

#include "fencepost/models/barrier/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models {

namespace barrier_faults {

using barrier_scenarios::exchange_of_all;
using barrier_scenarios::short_life;
using barrier_scenarios::store_buffering;
using faults::operation;

template <class P>
struct acquire_arrival
    : exchange_of_all<
          faults::weaker<P, operation::add, std::memory_order_acq_rel, std::memory_order_acquire>,
          2, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/acquire_arrival",
               .threads = 2,
               .claim = "if an arrival does not release, the last arrival misses what precedes it",
               .expected = violation::data_race,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct release_arrival
    : exchange_of_all<
          faults::weaker<P, operation::add, std::memory_order_acq_rel, std::memory_order_release>,
          2, spin_for_ever> {
  static constexpr auto about = scenario{
      .name = "barrier/release_arrival",
      .threads = 2,
      .claim = "if the last arrival does not acquire, it misses what the other threads did",
      .expected = violation::data_race,
      .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct relaxed_turn
    : exchange_of_all<faults::weaker<P, operation::exchange, std::memory_order_release,
                                     std::memory_order_relaxed>,
                      2, spin_for_ever> {
  static constexpr auto about = scenario{
      .name = "barrier/relaxed_turn",
      .threads = 2,
      .claim = "if the flip of the sense does not release, a waiter misses what the others did",
      .expected = violation::data_race,
      .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct relaxed_look
    : exchange_of_all<
          faults::weaker<P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>,
          2, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/relaxed_look",
               .threads = 2,
               .claim = "if a waiter does not acquire, it misses what the others did",
               .expected = violation::data_race,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct torn_turn : exchange_of_all<faults::torn_exchanges<P>, 2, 0> {
  static constexpr auto about = scenario{.name = "barrier/torn_turn",
                                         .threads = 2,
                                         .claim =
                                             "if the flip of the sense is not an exchange, the "
                                             "last arrival overlooks a sleeping waiter",
                                         .expected = violation::liveness,
                                         .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct no_wake : exchange_of_all<faults::without_wake<P>, 2, 0> {
  static constexpr auto about =
      scenario{.name = "barrier/no_wake",
               .threads = 2,
               .claim = "without the wake, parked waiters are never woken",
               .expected = violation::liveness,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct leavers_not_awaited : short_life<P, true, spin_for_ever, barrier_scenarios::uncounted> {
  static constexpr auto about = scenario{
      .name = "barrier/leavers_not_awaited",
      .threads = 2,
      .claim =
          "a barrier that does not count leaving threads must not be destroyed right after a wait",
      .expected = violation::use_after_free,
      .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct relaxed_leave : short_life<faults::weaker<P, operation::subtract, std::memory_order_release,
                                                 std::memory_order_relaxed>,
                                  false, spin_for_ever> {
  static constexpr auto about = scenario{
      .name = "barrier/relaxed_leave",
      .threads = 2,
      .claim = "if leaving does not release, the barrier is destroyed under the leaving thread",
      .expected = violation::use_after_free,
      .symmetric = {.first = 0, .count = 2}};
};

// The thread that destroys it is the last one, which has not looked at the sense since it came.
template <class P>
struct relaxed_destruction
    : short_life<
          faults::weaker<P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>,
          true, spin_for_ever> {
  static constexpr auto about = scenario{
      .name = "barrier/relaxed_destruction",
      .threads = 2,
      .claim =
          "if the destructor does not acquire, the barrier is destroyed under a leaving thread",
      .expected = violation::use_after_free,
      .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct no_store_load_fence : store_buffering<P, barrier_options{}> {
  static constexpr auto about =
      scenario{.name = "barrier/no_store_load_fence",
               .threads = 3,
               .claim =
                   "without the fence, a thread outside the barrier observes a store before it and "
                   "a load after it reordered",
               .expected = violation::assertion};
};

// What outsider_without_fence says may be seen, is.
template <class P>
struct outsider_misled : barrier_scenarios::who_sees_whom<P, barrier_options{}> {
  static constexpr auto about = scenario{
      .name = "barrier/outsider_misled",
      .threads = 3,
      .claim = "without the fence, a client that relies on the order observes the reordering",
      .expected = violation::assertion,
      .outcomes = barrier_scenarios::both_orders};
};

}  // namespace barrier_faults

using barrier_faults_list =
    scenario_list<barrier_faults::acquire_arrival, barrier_faults::release_arrival,
                  barrier_faults::relaxed_turn, barrier_faults::relaxed_look,
                  barrier_faults::torn_turn, barrier_faults::no_wake,
                  barrier_faults::leavers_not_awaited, barrier_faults::relaxed_leave,
                  barrier_faults::relaxed_destruction, barrier_faults::no_store_load_fence,
                  barrier_faults::outsider_misled>;

}  // namespace fencepost::models
