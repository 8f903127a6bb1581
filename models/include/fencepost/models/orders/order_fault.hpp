// A claim of a component that must be violated when one of its memory orders is changed, made of a
// scenario that holds, and a label.
//
//   order_fault<"injector/relaxed_push", job_is_whole, "injector.hpp:push=relaxed",
//               violation::data_race, "with a relaxed push, ...">::on
//
// with further changes after the claim, where one alone shows nothing,
//
// is a scenario for a scenario_list, with the threads and the bounds of the scenario that holds. A
// checker that can change an order by itself uses `as_written` and `change` instead, and needs no
// instance of the component for each fault.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "fencepost/models/orders/order_change.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models {

template <std::size_t Size>
struct template_text {  // A literal as a template argument.
  char characters[Size] = {};
  constexpr template_text(const char (&text)[Size]) { std::copy_n(text, Size, characters); }
  constexpr std::string_view view() const { return {characters, Size - 1}; }
};

namespace detail {

// A claim made for faults alone may have no `about`: it then has the default bounds.
template <class Claim>
struct with_default_bounds : Claim {
  static constexpr scenario about{};
};
template <class Claim>
    struct as_scenario : std::conditional < requires {
  Claim::about;
}, Claim, with_default_bounds < Claim >> {};

}  // namespace detail

template <template_text Name, template <class> class Claim, order_change Change, violation Expected,
          template_text What, order_change... Besides>
struct order_fault {
  template <class P>
  struct on : Claim<with_orders<P, Besides..., Change>> {
    using as_written = typename detail::as_scenario<Claim<P>>::type;
    static constexpr std::array changes{Change, Besides...};
    static constexpr scenario about = [] {
      scenario fault = as_written::about;
      fault.name = Name.view();
      fault.claim = What.view();
      fault.expected = Expected;
      return fault;
    }();
  };
};

}  // namespace fencepost::models
