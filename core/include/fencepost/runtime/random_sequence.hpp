// Random numbers for the choice of a victim: the upper bits of xorshift64*. A few instructions; not
// for anything that must be unpredictable.
#pragma once

#include <cstdint>

namespace fencepost {

class random_sequence {
 public:
  // Workers with different numbers have different sequences.
  explicit random_sequence(std::uint32_t number) noexcept
      : state_{(std::uint64_t{number} + 1) * 0x9e37'79b9'7f4a'7c15u} {}  // not 0

  // Returns the next number, less than `bound`.
  std::uint32_t below(std::uint32_t bound) noexcept {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<std::uint32_t>((state_ * 0x2545'f491'4f6c'dd1du >> 32) * bound >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace fencepost
