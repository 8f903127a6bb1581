// Random numbers for the choice of a victim: xorshift64*, by its upper bits. A few instructions;
// not for anything that someone must not foresee.
#pragma once

#include <cstdint>

namespace fencepost {

class random_sequence {
 public:
  // Workers of different numbers have different sequences.
  explicit random_sequence(std::uint32_t number) noexcept
      : state_{(std::uint64_t{number} + 1) * 0x9e37'79b9'7f4a'7c15u} {}  // not 0

  // The next one, less than the bound.
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
