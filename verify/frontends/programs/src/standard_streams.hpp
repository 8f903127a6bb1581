// std::cout, std::cerr and std::clog as they are when the program is loaded: what an execution has
// set is not set in the next one.
#pragma once

#include <span>
#include <vector>

namespace fencepost::programs {

// The first call keeps how they are.
void put_standard_streams_back();

// Of one of them. Several threads may use them at once, also by what the compiler has put in line.
[[nodiscard]] bool is_standard_stream(const void*) noexcept;

// The memory that they are.
void add_memory_of_streams(std::vector<std::span<char>>&);

}  // namespace fencepost::programs
