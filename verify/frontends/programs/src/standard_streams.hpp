// std::cout, std::cerr and std::clog as they were when the program was loaded: what an execution
// sets is not set in the next one.
#pragma once

#include <span>
#include <vector>

namespace fencepost::programs {

// Restores their state. The first call saves it.
void put_standard_streams_back();

// True for an address in one of them. Several threads may use them at once, also by inlined code.
[[nodiscard]] bool is_standard_stream(const void*) noexcept;

// Adds the memory of these objects.
void add_memory_of_streams(std::vector<std::span<char>>&);

}  // namespace fencepost::programs
