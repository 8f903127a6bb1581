// std::cout, std::cerr and std::clog as they are when the program is loaded: what an execution has
// set is not set in the next one.
#pragma once

#include <span>
#include <vector>

namespace fencepost::programs {

// The first call keeps how they are.
void put_standard_streams_back();

// The memory that they are.
void add_memory_of_streams(std::vector<std::span<char>>&);

}  // namespace fencepost::programs
