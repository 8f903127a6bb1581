// A run in a build for ThreadSanitizer: its process, and the reports about it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace fencepost::stress {

struct race_reports {
  std::atomic<std::uint64_t> count;
  std::atomic<std::chrono::steady_clock::time_point> first;
};

// fork(), by a process with one thread; the child may start threads.
pid_t start_process();

// Counts the reports about this process there from now on. In other builds there are none.
void count_reports_in(race_reports&) noexcept;

}  // namespace fencepost::stress
