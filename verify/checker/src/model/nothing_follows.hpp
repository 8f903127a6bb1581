// Reads that cannot be in a cycle of program order and reads-from.
#pragma once

#include "model/consistency.hpp"

namespace fencepost::verify {

// True if, with the value `taken` from the future, the read would acquire, which keeps it before
// all that follows, or its thread would wait on, so that nothing follows. A compare-exchange may
// fail, or succeed, where it now does not. `whole`: the read is of a word of two fields, of which
// the value is one.
template <class Read>
bool nothing_follows(const Read& r, bool whole, decltype(r.expected) taken) {
  if (r.awaits && taken != r.expected) return true;
  if (!r.compares) return acquires(r.success);
  if (whole || r.weak) return acquires(r.success) && acquires(r.failure);
  return acquires(taken == r.expected ? r.success : r.failure);
}

}  // namespace fencepost::verify
