// What instructions do that matters to other threads, as far as their names tell.
#pragma once

#include <cstdint>
#include <string_view>

namespace fencepost::programs {

enum class instruction : std::uint8_t { other, atomic, fence, non_temporal, of_many_bytes };

// As objdump writes it, with one space between its words.
[[nodiscard]] instruction kind_of(std::string_view);

}  // namespace fencepost::programs
