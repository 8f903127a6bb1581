// std::cout, std::cerr and std::clog as they are when the program is loaded: what an execution has
// set is not set in the next one.
#pragma once

namespace fencepost::programs {

// The first call keeps how they are.
void put_standard_streams_back();

}  // namespace fencepost::programs
