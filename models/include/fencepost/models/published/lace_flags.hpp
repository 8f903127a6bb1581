// Lace's movesplit and allstolen, as published (LACE-08): plain bytes that owner and thieves read
// and write. Lace exempts the functions concerned from ThreadSanitizer's instrumentation; under C11
// and C++20 the accesses race. The kit's deque has relaxed atomics instead.
#pragma once

#include "fencepost/deque/split_word.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/tail_split/tasks_obtained_once.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

template <class P>
struct lace_plain_flags
    : tail_split_scenarios::grow_against_steal<faults::plain_atomics<P, bool>, lace_split_word> {
  static constexpr auto about =
      scenario{.name = "published/lace_plain_flags",
               .threads = 2,
               .claim = "Lace's movesplit and allstolen, plain bytes there, have data races",
               .expected = violation::data_race};
};

using lace_flags_list = needs_halves<scenario_list<lace_plain_flags>>;

}  // namespace fencepost::models::published
