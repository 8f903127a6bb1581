// Runs scenarios in parallel, each in a process of its own: one that crashes, hangs or uses up the
// memory affects no other.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "run/finished_job.hpp"

namespace fencepost::cli {

struct worker_limits {
  unsigned jobs = 1;  // processes; the last scenarios share those that are free
  // A worker that sends nothing for this long is killed: it is in a loop without any step of the
  // checker.
  std::chrono::milliseconds silence{60'000};
  // How long a worker may take to end after it was asked to stop, or after its time is up.
  std::chrono::milliseconds grace{3'000};
};

// All are called in this process, never concurrently.
struct worker_events {
  std::function<void(std::size_t job)> started;
  std::function<void(std::size_t job, const verify::progress&)> progressed;
  std::function<void(std::size_t job, const finished_job&)> finished;
  std::function<void()> tick;  // about ten times a second
};

// Runs the jobs in order, `limits.jobs` at a time. After SIGINT, SIGTERM or SIGHUP no more are
// started, the running ones are asked to stop, and what they found is reported; a second signal
// kills them.
std::vector<finished_job> run_all(const std::vector<job>&, const worker_limits&,
                                  const worker_events&);

}  // namespace fencepost::cli
