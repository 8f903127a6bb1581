// Options of a thread pool with a given number of workers.
#pragma once

#include <cstdint>

#include "fencepost/runtime/thread_pool.hpp"

namespace fencepost {

inline thread_pool_options of_workers(std::uint32_t count) { return {.workers = count}; }

}  // namespace fencepost
