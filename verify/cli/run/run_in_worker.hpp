// The side of the worker: a process of its own that explores one scenario.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>

#include "run/finished_job.hpp"

namespace fencepost::cli {

// Called in the worker. It writes lines of JSON to `to_parent`: {"progress": [...]}, again and
// again, and one {"result": ...}; its standard output and error go to `output`. SIGTERM asks it to
// stop. With the parent it ends. `share`: how many processes it may use.
[[noreturn]] void run_in_worker(const job&, pid_t parent, const std::atomic<unsigned>& share,
                                int to_parent, int output);

// A violation that is not the explorer's.
verify::result broken(const verify::options&, violation, std::string message);

}  // namespace fencepost::cli
