// Lists of scenarios; each header of models ends with one.
//
//   chase_lev/claims.hpp:      namespace fencepost::models { using chase_lev_claims_list = …; }
//   known_bugs/bun_notify.hpp: namespace fencepost::models::known_bugs { using bun_notify_list = …;
//   }
//
// models/CMakeLists.txt names the headers; a runner instantiates each list over its own policy,
// in a source of its own (fencepost_for_each_model() in ci/cmake/fencepost.cmake).
#pragma once

namespace fencepost::models {

// Class templates on the policy, each a scenario.
template <template <class> class... Scenarios>
struct scenario_list {};

// The scenarios of several lists.
template <class... Lists>
struct lists {};

// Scenarios that need a mixed-size word: left out if the policy has none.
template <class List>
struct needs_halves {};

// Calls f.template operator()<Scenario<P>>() for each scenario of the list, in order.
template <class P, template <class> class... Scenarios, class F>
void visit(scenario_list<Scenarios...>, F&& f) {
  (f.template operator()<Scenarios<P>>(), ...);
}
template <class P, class List, class F>
void visit(needs_halves<List>, F&& f) {
  if constexpr (requires { typename P::halves; }) visit<P>(List{}, f);
}
template <class P, class... Lists, class F>
void visit(lists<Lists...>, F&& f) {
  (visit<P>(Lists{}, f), ...);
}

// Fixes the deque's word for a scenario that takes it as a second parameter.
template <template <class, template <class> class> class Scenario, template <class> class Word>
struct with_word {
  template <class P>
  using scenario = Scenario<P, Word>;
};

}  // namespace fencepost::models
