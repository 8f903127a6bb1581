// The deque that answers requests without each of its orders and steps in turn: scenarios that must
// be violated.
#pragma once

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/private_deque/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace private_deque_faults {

template <class P>
struct workers_only_wait : private_deque_scenarios::each_asks_the_other<P, false> {
  static constexpr auto about =
      scenario{.name = "private_deque/workers_only_wait",
               .threads = 2,
               .claim = "two workers that wait for each other without a poll are never answered",
               .expected = violation::liveness};
};

template <class P>
struct torn_withdrawal
    : private_deque_scenarios::withdrawal_against_answer<faults::torn_exchanges<P>> {
  static constexpr auto about =
      scenario{.name = "private_deque/torn_withdrawal",
               .threads = 2,
               .claim =
                   "without atomic exchanges, a request is withdrawn and answered, and the "
                   "item is lost",
               .expected = violation::assertion};
};

}  // namespace private_deque_faults

using private_deque_faults_list = scenario_list<
    order_fault<"private_deque/relaxed_answer", private_deque_scenarios::item_is_whole,
                "private_deque.hpp:answer=relaxed", violation::data_race,
                "if the answer does not release, the thief reads an unpublished item">::on,
    order_fault<"private_deque/relaxed_look", private_deque_scenarios::item_is_whole,
                "private_deque.hpp:look=relaxed", violation::data_race,
                "if the thief does not acquire, it reads an unpublished item">::on,
    order_fault<"private_deque/relaxed_ask", private_deque_scenarios::second_request,
                "private_deque.hpp:ask=relaxed", violation::data_race,
                "if the request does not release, the second answer overwrites the item that the "
                "thief still reads">::on,
    order_fault<"private_deque/relaxed_take", private_deque_scenarios::second_request,
                "private_deque.hpp:take=relaxed", violation::data_race,
                "if the owner does not acquire the request, its answer overwrites the item that "
                "the thief still reads">::on,
    order_fault<"private_deque/request_dies_in_the_answer",
                private_deque_scenarios::request_may_die, "private_deque.hpp:answer=relaxed",
                violation::use_after_free,
                "if the answer does not release, the request dies during it">::on,
    private_deque_faults::workers_only_wait, private_deque_faults::torn_withdrawal>;

}  // namespace fencepost::models
