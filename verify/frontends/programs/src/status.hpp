// The exit status of a check.
#pragma once

namespace fencepost::programs::status {

inline constexpr int as_expected = 0, unexpected = 1, wrong_usage = 2, incomplete = 3;

}  // namespace fencepost::programs::status
