// Estimates from probes how many executions there are.
#pragma once

#include <optional>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// There is no estimate from fewer probes than this.
inline constexpr std::size_t least_probes = 20;

[[nodiscard]] std::optional<estimated> estimate_from(const std::vector<double>& probes);

// Corrects an estimate when so many executions have been explored and others are left. Returns
// nothing if the exploration has reached the estimate's upper end.
[[nodiscard]] std::optional<estimated> with_explored(std::optional<estimated>,
                                                     std::uint64_t executions);

}  // namespace fencepost::verify
