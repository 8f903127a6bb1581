// Lists of scenarios: what a registry is made of.
#pragma once

namespace fencepost::models {

// Class templates on the policy, each a scenario.
template <template <class> class... Scenarios>
struct scenario_list {};

// Calls f.template operator()<Scenario<P>>() for each scenario of the list, in order.
template <class P, template <class> class... Scenarios, class F>
void visit(scenario_list<Scenarios...>, F&& f) {
  (f.template operator()<Scenarios<P>>(), ...);
}

namespace detail {
template <template <class> class... A, template <class> class... B>
scenario_list<A..., B...> joined_lists(scenario_list<A...>, scenario_list<B...>);
}  // namespace detail

// The scenarios of two lists.
template <class A, class B>
using concat = decltype(detail::joined_lists(A{}, B{}));

// A scenario that takes the deque's word as well, with the word chosen.
template <template <class, template <class> class> class Scenario, template <class> class Word>
struct with_word {
  template <class P>
  using scenario = Scenario<P, Word>;
};

}  // namespace fencepost::models
