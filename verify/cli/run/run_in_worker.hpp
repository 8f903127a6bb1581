// The worker's side: a process of its own that explores one scenario.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <string>

#include "run/finished_job.hpp"

namespace fencepost::cli {

// Called in the worker. Writes lines of JSON to `to_parent`: {"progress": [...]} repeatedly, and
// one {"result": ...}; standard output and error go to `output`. SIGTERM asks the worker to stop.
// It ends when the parent does. `share`: how many processes it may use.
[[noreturn]] void run_in_worker(const job&, pid_t parent, const std::atomic<unsigned>& share,
                                int to_parent, int output);

// Returns a violation that the explorer did not find.
verify::result broken(const verify::options&, violation, std::string message);

}  // namespace fencepost::cli
