// What an instruction does that matters to other threads, as far as its name says.
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost::programs {

enum class instruction : std::uint8_t {
  other,
  atomic,
  fence,
  non_temporal,
  of_many_bytes,
  of_the_machine
};

// The instruction is given as objdump writes it, with one space between words.
[[nodiscard]] instruction kind_of(std::string_view);

}  // namespace fencepost::programs
