// The number of calls of operator new since the program began.
#pragma once

#include <atomic>

namespace fencepost {

extern std::atomic<long> allocations;

}  // namespace fencepost
