// Which reads of an execution take their value from what comes after them, why nothing forbids it,
// and what would.
#pragma once

#include "diagnosis.hpp"

namespace fencepost::verify {

// The words are "" if no read does.
diagnosis why_buffered(const execution&, const shown_execution&);

}  // namespace fencepost::verify
