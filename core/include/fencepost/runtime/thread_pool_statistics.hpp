// The statistics that a thread_pool reports at any time if it counts: counted_thread_pool, or
// basic_thread_pool<counted<P>>.
//
//   counted_thread_pool pool;
//   const thread_pool_statistics now = pool.statistics();
//   now.jobs, now.queued                  of the whole pool
//   now.workers[0].stolen                 of a worker
//   now.outside.submitted                 of the threads that are not workers
//
// How exact: every number but `queued` only grows, and is at least what happened before the call
// (by happens-before), so that after get() of a handle its job is counted. While the pool works,
// the numbers are not of one moment: jobs may exceed submitted. When it is idle, and the caller
// knows that (it has waited for all jobs), jobs + queued == submitted, and the sums are exact.
// `queued` of a worker is computed from the two ends of its deque, each read once, at a moment of
// its own: it may be too low or too high by what was pushed, popped and stolen in between, is never
// less than 0, and is exact for a deque that no thread uses meanwhile. That of `outside` is what
// was submitted less what was taken, in the same way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fencepost/runtime/worker_counters.hpp"

namespace fencepost {

struct thread_pool_counts {     // The counts of a worker, of the threads outside, or of all.
  std::uint64_t jobs = 0;       // run, each counted as it begins; not what call() runs on a worker
  std::uint64_t submitted = 0;  // by a worker to its own deque, join()'s right ones too; or outside
  std::uint64_t stolen = 0;     // taken from another worker's deque
  std::uint64_t injected = 0;   // taken from the queue of those that were submitted outside
  std::uint64_t parks = 0;      // how often the worker fell asleep
  std::uint64_t wakes = 0;      // how often it was woken: less than parks by one while it sleeps
  std::uint64_t queued = 0;     // in its deque now; of `outside`: not taken by a worker yet

  static constexpr auto members() noexcept {
    using self = thread_pool_counts;
    return std::array{&self::jobs,  &self::submitted, &self::stolen, &self::injected,
                      &self::parks, &self::wakes,     &self::queued};
  }
  constexpr thread_pool_counts& operator+=(const thread_pool_counts& other) noexcept {
    return add_counts(*this, other);
  }
};

struct thread_pool_statistics : thread_pool_counts {  // The sums, and their parts.
  std::vector<thread_pool_counts> workers;            // by their indices
  thread_pool_counts outside;                         // of other threads: submitted, queued
};

}  // namespace fencepost
