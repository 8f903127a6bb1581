// The features of a task_runner that are chosen at compile time, and the statistics that it reports
// at any time if it counts: basic_task_runner<task_runner_features{.statistics = true}>, which is
// counted_task_runner.
//
// How exact: every number but `queued` and `delayed` only grows, and is at least what happened
// before the call (by happens-before). While the runner works, the numbers are not of one moment.
// `queued` is what was put into the queue less what was taken out, each read once, at a moment of
// its own: it may be too low or too high by what was posted and run in between, but is never less
// than 0. On the runner's thread, only concurrent posts of other threads are in doubt. A post is
// counted before it is in the queue.
#pragma once

#include <array>
#include <cstdint>

#include "fencepost/runtime/worker_counters.hpp"

namespace fencepost {

struct task_runner_features {  // What is chosen at compile time.
  bool trace = false;          // records what it does, which costs something: worker_trace.hpp
  bool statistics = false;     // counts, which costs something: worker_counters.hpp
};

struct task_runner_statistics {
  // Tasks run, each counted as it begins.
  std::uint64_t tasks = 0;   // posted ones; quit(), and a watch that another thread adds, are tasks
  std::uint64_t timers = 0;  // delayed ones, and each call of one that repeats
  std::uint64_t dropped = 0;  // timers that a token has cancelled, and that went before their time
  std::uint64_t watches = 0;  // calls for a descriptor, also if its watch was removed just before

  std::uint64_t posted = 0;  // posts of tasks and timers
  std::uint64_t parks = 0;   // how often the runner fell asleep, or was about to
  std::uint64_t wakes = 0;   // how often a post of another thread ended that

  std::uint64_t queued = 0;   // now: tasks, descriptors that are ready, and new timers
  std::uint64_t delayed = 0;  // now: timers that wait until they are due
};

// What the runner's thread counts.
struct task_runner_counts {
  std::uint64_t tasks = 0, timers = 0, watches = 0, parks = 0, wakes = 0;
  std::uint64_t posted = 0;   // by this thread
  std::uint64_t ready = 0;    // put into the queue for descriptors
  std::uint64_t delayed = 0;  // timers that left the queue to wait
  std::uint64_t dropped = 0;

  static constexpr auto members() noexcept {
    using self = task_runner_counts;
    return std::array{&self::tasks,  &self::timers, &self::watches, &self::parks,  &self::wakes,
                      &self::posted, &self::ready,  &self::delayed, &self::dropped};
  }

  // Adds what other threads have posted.
  task_runner_statistics with(std::uint64_t posted_by_others) const noexcept {
    const std::uint64_t all = posted + posted_by_others;
    return {.tasks = tasks,
            .timers = timers,
            .dropped = dropped,
            .watches = watches,
            .posted = all,
            .parks = parks,
            .wakes = wakes,
            .queued = less(all + ready, tasks + watches + delayed),
            .delayed = less(delayed, timers + dropped)};
  }

 private:
  static constexpr std::uint64_t less(std::uint64_t in, std::uint64_t out) noexcept {
    return in > out ? in - out : 0;
  }
};

}  // namespace fencepost
