#pragma once

#include <cstdint>

namespace fencepost::verify {

// Returns the hash of what h is the hash of, followed by v.
inline std::uint64_t mix(std::uint64_t h, std::uint64_t v) noexcept {
  h ^= v + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdu;
  return h ^ (h >> 32);
}

}  // namespace fencepost::verify
