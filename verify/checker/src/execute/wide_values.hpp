// Numbers for values that are too wide for a `value`.
#pragma once

#include <unordered_map>

#include "execute/memory.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

class wide_values {
 public:
  // The number is computed from the bytes, so that it is the same in every exploration, unless two
  // values collide.
  value number_of(const wide_value& bytes) {
    if (bytes == wide_value{}) return 0;
    const engine_scope scope;
    value number = 0;
    for (const std::uint64_t half : bytes) {
      number = (number ^ half) * 0xff51afd7ed558ccdU + 0x9e3779b97f4a7c15U;
      number ^= number >> 32U;
    }
    for (;; ++number) {
      const auto [known, is_new] = by_number_.try_emplace(number, bytes);
      if (number != 0 && (is_new || known->second == bytes)) return number;
    }
  }
  [[nodiscard]] wide_value bytes(value number) const {
    const auto known = by_number_.find(number);
    return known == by_number_.end() ? wide_value{} : known->second;
  }

 private:
  std::unordered_map<value, wide_value> by_number_;  // of all executions
};

}  // namespace fencepost::verify
