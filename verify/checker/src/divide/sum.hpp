// Adds up what two parts of an exploration have found.
#pragma once

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Counts are added, and of the largest execution the larger is kept. Leaves verdict and
// counterexample alone.
void add(result& sum, const result& more);

}  // namespace fencepost::verify
