// The options among a program's arguments, as getopt() and its like find them: where they are, the
// C library keeps for itself, and in variables that programs read.
#pragma once

#include <span>
#include <vector>

namespace fencepost::programs {

// As they are in a program that begins. At a resume point none are being read.
void put_options_back() noexcept;
void forget_place_in_options() noexcept;
[[nodiscard]] bool are_options_being_read() noexcept;
void add_memory_of_options(std::vector<std::span<char>>&);

}  // namespace fencepost::programs
