// The barrier without each of its orders and steps in turn: scenarios that must be violated.
#pragma once

#include "fencepost/models/barrier/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::models {

namespace barrier_faults {

using barrier_scenarios::exchange_of_all;
using barrier_scenarios::short_life;

template <class P>
struct exchange_of_two : exchange_of_all<P, 2, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = {}, .threads = 2, .symmetric = {.first = 0, .count = 2}};
};

// The last thread destroys the barrier; it has not read the sense since it arrived.
template <class P>
struct last_destroys : short_life<P, true, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = {}, .threads = 2, .symmetric = {.first = 0, .count = 2}};
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

// The outcome that outsider_without_fence allows does occur.
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

using barrier_faults_list = scenario_list<
    order_fault<"barrier/acquire_arrival", barrier_faults::exchange_of_two,
                "barrier.hpp:arrive=acquire", violation::data_race,
                "if an arrival does not release, the last arrival misses what precedes it">::on,
    order_fault<"barrier/release_arrival", barrier_faults::exchange_of_two,
                "barrier.hpp:arrive=release", violation::data_race,
                "if the last arrival does not acquire, it misses what the other threads did">::on,
    order_fault<
        "barrier/relaxed_turn", barrier_faults::exchange_of_two, "barrier.hpp:turn=relaxed",
        violation::data_race,
        "if the flip of the sense does not release, a waiter misses what the others did">::on,
    order_fault<"barrier/relaxed_look", barrier_faults::exchange_of_two, "barrier.hpp:look=relaxed",
                violation::data_race,
                "if a waiter does not acquire, it misses what the others did">::on,
    barrier_faults::torn_turn, barrier_faults::no_wake, barrier_faults::leavers_not_awaited,
    order_fault<
        "barrier/relaxed_leave", barrier_scenarios::may_die_after_the_last_wait,
        "barrier.hpp:leave=relaxed", violation::use_after_free,
        "if leaving does not release, the barrier is destroyed under the leaving thread">::on,
    order_fault<
        "barrier/relaxed_destruction", barrier_faults::last_destroys, "barrier.hpp:destroy=relaxed",
        violation::use_after_free,
        "if the destructor does not acquire, the barrier is destroyed under a leaving thread">::on,
    order_fault<"barrier/no_store_load_fence", barrier_scenarios::store_load,
                "barrier.hpp:wait.fence=removed", violation::assertion,
                "without the fence, a thread outside the barrier observes a store before it and a "
                "load after it reordered">::on,
    barrier_faults::outsider_misled>;

}  // namespace fencepost::models
