// The table of submissions without each of its orders in turn: scenarios that must be violated.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/models/external_slots/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace external_slots_faults {

using external_slots_scenarios::two_workers;

template <class P>
struct torn_take : two_workers<faults::torn_exchanges<P>> {
  static constexpr auto about =
      scenario{.name = "external_slots/torn_take",
               .threads = 3,
               .claim = "with a take in two steps, two workers take the same record",
               .expected = violation::data_race};
};

// Not claimed: that a table of one slot is either empty, or full with a record to take, as if
// submitting and taking were one step each.
struct one_slot {
  static constexpr std::string_view name = "a slot that is full or empty";
  enum class operation : std::uint8_t { submit, take };
  using result = bool;
  bool full = false;

  std::vector<possibility<one_slot>> apply(operation o) const {
    const bool submits = o == operation::submit;
    return {{submits != full, {submits}}};
  }
  static std::string text(operation o, const result* r) {
    if (o == operation::submit) return r != nullptr && !*r ? "submit() -> full" : "submit()";
    return r != nullptr && !*r ? "take() -> none" : "take()";
  }
  friend auto operator<=>(const one_slot&, const one_slot&) = default;
};

template <class P>
struct full_and_nothing_to_take {
  static constexpr auto about = scenario{.name = "external_slots/full_and_nothing_to_take",
                                         .threads = 2,
                                         .claim = "a full table of one slot has a record to take",
                                         .expected = violation::assertion};
  using action = one_slot::operation;
  external_slots<external_slots_scenarios::record<P>, P, 1> slots;
  external_slots_scenarios::record<P> records[2];
  history<one_slot> operations{2};
  void thread(unsigned index) {
    operations.run(index, action::submit, [&] { return slots.try_submit(records[index]); });
    if (index == 1) operations.run(1, action::take, [&] { return slots.take() != nullptr; });
  }
  void after() { require_linearizable(operations); }
};

template <class P>
struct torn_take_is_not_linearizable
    : external_slots_scenarios::two_workers_recorded<faults::torn_exchanges<P>> {
  static constexpr auto about =
      scenario{.name = "external_slots/torn_take_is_not_linearizable",
               .threads = 3,
               .claim = "with a take in two steps, the results are not linearizable",
               .expected = violation::assertion};
};

}  // namespace external_slots_faults

using external_slots_faults_list = scenario_list<
    order_fault<"external_slots/relaxed_submission", external_slots_scenarios::round_trip,
                "external_slots.hpp:publish=relaxed", violation::data_race,
                "if a submission does not release, a worker reads an unpublished record">::on,
    order_fault<"external_slots/relaxed_take", external_slots_scenarios::round_trip,
                "external_slots.hpp:take=relaxed", violation::data_race,
                "if a take does not acquire, the worker reads an unpublished record">::on,
    external_slots_faults::torn_take, external_slots_faults::full_and_nothing_to_take,
    external_slots_faults::torn_take_is_not_linearizable>;

}  // namespace fencepost::models
