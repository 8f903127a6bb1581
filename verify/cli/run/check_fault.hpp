// Checks a planted fault. One that changes an order of the library must come to that operation.
#pragma once

#include "fencepost/verify/check.hpp"

namespace fencepost::cli {

// Whatever is violated, it is not by the changed order.
inline verify::result refuse_fault(verify::result r) {
  r.outcome = verify::verdict::violated;
  r.violation.emplace();
  r.violation->kind = violation::misuse;
  r.violation->message =
      "the operation whose order this fault changes is never run: choose a scenario that runs it";
  return r;
}

template <class Scenario>
verify::result check_fault(const verify::options& o) {
  if constexpr (requires { Scenario::is_run(); }) {
    Scenario::is_run() = false;
    verify::result r = verify::check_scenario<Scenario>(o);
    return r.outcome == verify::verdict::incomplete || Scenario::is_run() ? r : refuse_fault(r);
  } else {
    return verify::check_scenario<Scenario>(o);
  }
}

}  // namespace fencepost::cli
