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
               .claim = "an arrival that does not release hides what came before it",
               .expected = violation::data_race,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct release_arrival
    : exchange_of_all<
          faults::weaker<P, operation::add, std::memory_order_acq_rel, std::memory_order_release>,
          2, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/release_arrival",
               .threads = 2,
               .claim = "a last arrival that does not acquire sees nothing of the others",
               .expected = violation::data_race,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct relaxed_turn
    : exchange_of_all<faults::weaker<P, operation::exchange, std::memory_order_release,
                                     std::memory_order_relaxed>,
                      2, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/relaxed_turn",
               .threads = 2,
               .claim = "a turn of the sense that does not release shows nothing of the others",
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
               .claim = "who waits and does not acquire sees nothing of the others",
               .expected = violation::data_race,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct torn_turn : exchange_of_all<faults::torn_exchanges<P>, 2, 0> {
  static constexpr auto about =
      scenario{.name = "barrier/torn_turn",
               .threads = 2,
               .claim = "a turn that is not an exchange forgets who is asleep",
               .expected = violation::liveness,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct no_wake : exchange_of_all<faults::without_wake<P>, 2, 0> {
  static constexpr auto about = scenario{.name = "barrier/no_wake",
                                         .threads = 2,
                                         .claim = "without a wake those who sleep sleep on",
                                         .expected = violation::liveness,
                                         .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct leavers_not_awaited : short_life<P, true, spin_for_ever, barrier_scenarios::uncounted> {
  static constexpr auto about =
      scenario{.name = "barrier/leavers_not_awaited",
               .threads = 2,
               .claim = "a barrier that does not count its leavers must not die right after a wait",
               .expected = violation::use_after_free,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct relaxed_leave : short_life<faults::weaker<P, operation::subtract, std::memory_order_release,
                                                 std::memory_order_relaxed>,
                                  false, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/relaxed_leave",
               .threads = 2,
               .claim = "who leaves without release is not known to have left",
               .expected = violation::use_after_free,
               .symmetric = {.first = 0, .count = 2}};
};

// The thread that destroys it is the last one, which has not looked at the sense since it came.
template <class P>
struct relaxed_destruction
    : short_life<
          faults::weaker<P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>,
          true, spin_for_ever> {
  static constexpr auto about =
      scenario{.name = "barrier/relaxed_destruction",
               .threads = 2,
               .claim = "without acquire in the destructor others are not known to have left",
               .expected = violation::use_after_free,
               .symmetric = {.first = 0, .count = 2}};
};

template <class P>
struct no_store_load_fence : store_buffering<P, barrier_options{}> {
  static constexpr auto about =
      scenario{.name = "barrier/no_store_load_fence",
               .threads = 3,
               .claim =
                   "without the fence, a store before and a load after change places for "
                   "who takes no part",
               .expected = violation::assertion};
};

// What outsider_without_fence says may be seen, is.
template <class P>
struct outsider_misled : barrier_scenarios::who_sees_whom<P, barrier_options{}> {
  static constexpr auto about =
      scenario{.name = "barrier/outsider_misled",
               .threads = 3,
               .claim = "who needs the order and leaves the fence out is shown otherwise",
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
