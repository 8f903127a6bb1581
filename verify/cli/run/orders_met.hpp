// Checks that an exploration executed the operations whose orders a planted fault changes.
#pragma once

#include <vector>

#include "fencepost/verify/orders.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::cli {

// Returns the result if each of the operations was executed. Otherwise a violation does not come
// from the changed orders, and the fault is refused as misuse.
verify::result require_met(verify::result, const std::vector<verify::order_change>&);

}  // namespace fencepost::cli
