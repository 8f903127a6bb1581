// What two parts of an exploration have found, together.
#pragma once

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Counts are added, the largest execution is the larger one. Neither verdict nor counterexample.
void add(result& sum, const result& more);

}  // namespace fencepost::verify
