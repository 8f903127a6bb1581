// For policies that wrap policies: what the underlying one takes.
#pragma once

#include <atomic>

#include "fencepost/source_location.hpp"

namespace fencepost::models {

// True if the policy of this atomic takes source locations.
template <class Atomic>
inline constexpr bool reports_places = requires(const Atomic& a, source_location where) {
  a.load(std::memory_order_relaxed, where);
};

}  // namespace fencepost::models
