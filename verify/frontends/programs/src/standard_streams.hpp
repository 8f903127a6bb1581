// std::cout, std::cerr and std::clog as they were when the program was loaded: what an execution
// sets is not set in the next one.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace fencepost::programs {

// Restores their state. The first call saves it.
void put_standard_streams_back();

// True for an address in one of them. Several threads may use them at once, also by inlined code.
[[nodiscard]] bool is_standard_stream(const void*) noexcept;

// A program that does not import these names cannot change what they stand for: its only libraries
// are those of the system.
inline constexpr std::string_view names_of_streams[] = {"_ZSt3cin", "_ZSt4cout", "_ZSt4cerr",
                                                        "_ZSt4clog"};
// Adds the memory of these objects.
void add_memory_of_streams(std::vector<std::span<char>>&);

}  // namespace fencepost::programs
