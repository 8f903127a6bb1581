// The orders to which an order can be weakened in one step.
#pragma once

#include <string>
#include <vector>

#include "fencepost/verify/orders.hpp"

namespace fencepost::cli {

struct order_step {
  verify::order_change::part which = verify::order_change::part::order;
  verify::order to = verify::order::relaxed;
  std::string name;  // "relaxed", "acquire on failure", "weak", "removed"
  std::string lost;  // what the operation loses: "release", "acquire on failure", "strong"
  // True: asked only if the step before it, which takes less away, breaks nothing.
  bool after_the_one_before = false;
};

// Returns nothing for an operation that is relaxed anyway.
std::vector<order_step> weaker(const verify::asked_for&);

// "acquire", "acq_rel, acquire on failure", "seq_cst, weak".
std::string in_words(const verify::asked_for&);

}  // namespace fencepost::cli
