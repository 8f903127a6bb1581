#include "run/orders_met.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::cli {

verify::result require_met(verify::result r, const std::vector<verify::order_change>& changes) {
  if (r.outcome == verify::verdict::incomplete) return r;
  for (const verify::order_change& c : changes) {
    const bool met = std::any_of(r.places.begin(), r.places.end(), [&](const auto& p) {
      return c.concerns(p.where) && c.fits(p.asked);
    });
    if (met) continue;
    r.outcome = verify::verdict::violated;
    r.violation.emplace();
    r.violation->kind = violation::misuse;
    r.violation->message = "the operation whose order this fault changes, " + c.name +
                           ", is never run: choose a scenario that runs it";
    return r;
  }
  return r;
}

}  // namespace fencepost::cli
