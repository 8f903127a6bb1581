// For policies upon policies: what the one beneath takes.
#pragma once

#include <atomic>

#include "fencepost/source_location.hpp"

namespace fencepost::models {

// Does the policy to which this atomic belongs take source locations?
template <class Atomic>
inline constexpr bool reports_places = requires(const Atomic& a, source_location where) {
  a.load(std::memory_order_relaxed, where);
};

}  // namespace fencepost::models
