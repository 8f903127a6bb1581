// The options among a program's arguments, as getopt() and the like find them. The C library keeps
// its position in memory of its own, and in variables that programs read.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace fencepost::programs {

// A program that imports none of these cannot change what is kept.
inline constexpr std::string_view names_of_options[] = {
    "optarg", "optind", "opterr", "optopt", "getopt", "getopt_long", "getopt_long_only"};

// put_options_back() restores the initial state. At a resume point no options are being read.
void put_options_back() noexcept;
void forget_place_in_options() noexcept;
[[nodiscard]] bool are_options_being_read() noexcept;
void add_memory_of_options(std::vector<std::span<char>>&);

}  // namespace fencepost::programs
