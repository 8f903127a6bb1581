// How often memory was taken from operator new since the program began.
#pragma once

#include <atomic>

namespace fencepost {

extern std::atomic<long> allocations;

}  // namespace fencepost
