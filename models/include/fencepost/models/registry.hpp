// Every scenario of the kit: runners instantiate each of them over their own policy from here.
//
//   fencepost::models::visit_scenarios<checked_atomics>([]<class S> {
//     run<S>(S::about);
//   });
#pragma once

#include "fencepost/atomics/policy.hpp"
#include "fencepost/models/scenario_list.hpp"
#include "fencepost/models/tail_split.hpp"
#include "fencepost/models/tail_split_faults.hpp"

namespace fencepost::models {

// Calls f.template operator()<S>() for each scenario S on the policy P; those that need a word of
// two sizes of access are left out where P has none.
template <class P, class F>
void visit_scenarios(F&& f) {
  visit<P>(tail_split_list{}, f);
  visit<P>(tail_split_fault_list{}, f);
  if constexpr (requires { typename P::halves; }) {
    visit<P>(tail_split_lace_list{}, f);
    visit<P>(tail_split_lace_fault_list{}, f);
  }
}

}  // namespace fencepost::models
