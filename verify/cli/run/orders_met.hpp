// Did an exploration come to the operations whose orders a planted fault changes?
#pragma once

#include <vector>

#include "fencepost/verify/orders.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::cli {

// The result, if the checker came to each of the operations. If not, whatever is violated is so
// without the changed orders, and the fault is refused.
verify::result require_met(verify::result, const std::vector<verify::order_change>&);

}  // namespace fencepost::cli
