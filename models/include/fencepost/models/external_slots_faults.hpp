// What the table of submissions would be without each of its orders: scenarios that must be
// violated.
#pragma once

#include <atomic>
#include <type_traits>

#include "fencepost/models/external_slots.hpp"
#include "fencepost/models/faults.hpp"
#include "fencepost/models/scenario_list.hpp"
#include "fencepost/scenario.hpp"

namespace fencepost::models {

namespace external_slots_faults {

using external_slots_scenarios::round_trip;
using external_slots_scenarios::two_workers;
using faults::operation;

// The slots, not the count and not the completion.
template <class P, operation Which, std::memory_order From>
using relaxed_slots = faults::weaker<P, Which, From, std::memory_order_relaxed, std::is_pointer>;

template <class P>
struct relaxed_submission
    : round_trip<relaxed_slots<P, operation::compare_exchange, std::memory_order_release>> {
  static constexpr auto about =
      scenario{.name = "external_slots/relaxed_submission",
               .threads = 2,
               .claim = "a submission that does not release shows a record that is not there yet",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_take : round_trip<relaxed_slots<P, operation::exchange, std::memory_order_acquire>> {
  static constexpr auto about =
      scenario{.name = "external_slots/relaxed_take",
               .threads = 2,
               .claim = "a worker that does not acquire reads a record that is not there yet",
               .expected = violation::data_race};
};

template <class P>
struct torn_take : two_workers<faults::torn_exchanges<P>> {
  static constexpr auto about =
      scenario{.name = "external_slots/torn_take",
               .threads = 3,
               .claim = "two workers that look and then empty the slot take the same record",
               .expected = violation::data_race};
};

template <class P>
struct torn_take_is_not_linearizable
    : external_slots_scenarios::two_workers_recorded<faults::torn_exchanges<P>> {
  static constexpr auto about =
      scenario{.name = "external_slots/torn_take_is_not_linearizable",
               .threads = 3,
               .claim = "with a take in two steps, no table would say what is said",
               .expected = violation::assertion};
};

}  // namespace external_slots_faults

using external_slots_faults_list =
    scenario_list<external_slots_faults::relaxed_submission, external_slots_faults::relaxed_take,
                  external_slots_faults::torn_take,
                  external_slots_faults::torn_take_is_not_linearizable>;

}  // namespace fencepost::models
