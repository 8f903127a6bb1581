// Mixes one number after the other into the fingerprint of a graph, or of a part of one.
#pragma once

#include <cstdint>

namespace fencepost::axioms {

constexpr std::uint64_t mixed(std::uint64_t h, std::uint64_t v) noexcept {
  h = (h ^ h >> 31U) * 0x9e3779b97f4a7c15U + (v + 1) * 0xbf58476d1ce4e5b9U;
  return (h ^ h >> 29U) * 0x94d049bb133111ebU;
}

}  // namespace fencepost::axioms
