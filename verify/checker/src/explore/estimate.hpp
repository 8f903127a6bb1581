// What probes say: how many executions there are.
#pragma once

#include <optional>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Of fewer than this, nothing is said.
inline constexpr std::size_t least_probes = 20;

[[nodiscard]] std::optional<estimated> estimate_from(const std::vector<double>& probes);

// With what is known since: so many executions have been explored, and others are left. Nothing:
// there are more than was estimated.
[[nodiscard]] std::optional<estimated> with_explored(std::optional<estimated>,
                                                     std::uint64_t executions);

}  // namespace fencepost::verify
