// What the bounds of the exploration still allow in a graph.
#pragma once

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

[[nodiscard]] inline bool affordable(const graph& g, const options& o, budget charge) noexcept {
  switch (charge) {
    case budget::none: return true;
    case budget::spurious_wakeup: return g.spent().wakeups < o.spurious_wakeups;
    case budget::timeout: return g.spent().timeouts < o.timeouts;
    case budget::address: return g.spent().addresses < 1;
  }
  return false;
}

[[nodiscard]] inline bool may_fail_spuriously(const graph& g, const options& o) noexcept {
  return g.spent().spurious < o.spurious_failures;
}

}  // namespace fencepost::verify
