// Checks a planted fault. If the fault is another memory order, the checker changes the order
// itself: the component is not compiled again for each fault.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "fencepost/verify/check.hpp"
#include "run/orders_met.hpp"

namespace fencepost::cli {

namespace detail {

constexpr verify::order as_checked(std::memory_order o) {
  switch (o) {
    case std::memory_order_relaxed: return verify::order::relaxed;
    case std::memory_order_release: return verify::order::release;
    case std::memory_order_acq_rel: return verify::order::acq_rel;
    case std::memory_order_seq_cst: return verify::order::seq_cst;
    default: return verify::order::acquire;
  }
}

template <class Change>  // models::order_change
verify::order_change as_checked(const Change& c) {
  using planted = typename Change::part_t;
  using part = verify::order_change::part;
  const auto& site = c.place();
  const std::string file(site.file);
  return {.file = file,
          .line = site.end.line,
          .column = site.end.column,
          .which = c.part == planted::failure    ? part::failure
                   : c.part == planted::strength ? part::strength
                                                 : part::order,
          .to = as_checked(c.to),  // relaxed for a fence that is removed: it does nothing
          .name = file + ":" + std::string(site.label),
          .after = {site.previous.line, site.previous.column}};
}

}  // namespace detail

template <class Scenario>
verify::result check_fault(const verify::options& o) {
  if constexpr (requires { Scenario::changes; }) {
    std::vector<verify::order_change> changes;
    for (const auto& c : Scenario::changes) {
      changes.push_back(detail::as_checked(c));
    }
    verify::options changed = o;
    changed.changes.insert(changed.changes.begin(), changes.begin(), changes.end());
    return require_met(
        verify::check_scenario<typename Scenario::as_written>(Scenario::about, changed), changes);
  } else {
    return verify::check_scenario<Scenario>(o);
  }
}

}  // namespace fencepost::cli
