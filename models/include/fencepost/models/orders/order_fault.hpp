// A claim of a component that must break when one of its memory orders is another: made of a
// scenario that holds, and a label.
//
//   order_fault<"injector/relaxed_push", job_is_whole, "injector.hpp:push=relaxed",
//               violation::data_race, "with a relaxed push, ...">::on
//
// is a scenario as those of a scenario_list are, with the threads and the bounds of the one that
// holds. The command line refuses it if it never comes to the operation.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string_view>

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

template <template_text Name, template <class> class Claim, order_change Change, violation Expected,
          template_text What>
struct order_fault {
  template <class P>
  struct on : Claim<with_order<P, Change>> {
    static constexpr scenario about = [] {
      scenario fault{};
      if constexpr (requires { Claim<with_order<P, Change>>::about; })
        fault = Claim<with_order<P, Change>>::about;
      fault.name = Name.view();
      fault.claim = What.view();
      fault.expected = Expected;
      return fault;
    }();

    // Has a checker come to the operation whose order is another one?
    static std::atomic<bool>& is_run() { return detail::is_run<Change>; }
  };
};

}  // namespace fencepost::models
