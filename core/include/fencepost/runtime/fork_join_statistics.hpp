// What a fork-join runtime counts with fork_join_features{.statistics = true}. Otherwise it counts
// nothing, at no cost.
#pragma once

#include <array>
#include <cstdint>

#include "fencepost/attributes.hpp"
#include "fencepost/deque/split_move.hpp"
#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/runtime/worker_counters.hpp"

namespace fencepost {

struct fork_join_statistics {
  std::uint64_t tasks = 0;  // spawned

  // Attempts to steal, of thieves that look for work or wait for a task of theirs.
  std::uint64_t steals = 0;       // that brought a task
  std::uint64_t steals_busy = 0;  // that failed because of another thread
  std::uint64_t steals_none = 0;  // that found nothing
  // Of these, attempts to steal from the thief of a task that was waited for.
  std::uint64_t leaps = 0, leaps_busy = 0, leaps_none = 0;

  // Requests for tasks of a worker that shared none, and how the split moved: see split_move. A
  // request is answered when the split is begun or raised.
  std::uint64_t requests = 0;
  std::uint64_t splits_begun = 0, splits_raised = 0, splits_lowered = 0;
  std::uint64_t external = 0;  // tasks of run()
  std::uint64_t sleeps = 0;    // of idle workers
  std::uint64_t wakes = 0;     // how often a worker looked for a sleeper to wake

  // Now: tasks that thieves may take, without those that are private to their worker, and calls of
  // run() that no worker has taken yet. Each is read at a moment of its own.
  std::uint64_t shared = 0, waiting = 0;

  static constexpr auto members() noexcept {
    using self = fork_join_statistics;
    return std::array{
        &self::tasks,        &self::steals,        &self::steals_busy,    &self::steals_none,
        &self::leaps,        &self::leaps_busy,    &self::leaps_none,     &self::requests,
        &self::splits_begun, &self::splits_raised, &self::splits_lowered, &self::external,
        &self::sleeps,       &self::wakes,         &self::shared,         &self::waiting};
  }
  constexpr fork_join_statistics& operator+=(const fork_join_statistics& other) noexcept {
    return add_counts(*this, other);
  }
};

// The counters of one worker: worker_counters.hpp.
template <bool Counting>
class fork_join_counters : public worker_counters<fork_join_statistics, Counting> {
  using self = fork_join_statistics;

 public:
  FENCEPOST_INLINE void count_steal(steal_outcome how) noexcept {
    this->count(how == steal_outcome::retry     ? &self::steals_busy
                : how == steal_outcome::no_work ? &self::steals_none
                                                : &self::steals);
  }
  FENCEPOST_INLINE void count_leap(steal_outcome how) noexcept {
    this->count(how == steal_outcome::retry     ? &self::leaps_busy
                : how == steal_outcome::no_work ? &self::leaps_none
                                                : &self::leaps);
  }
  FENCEPOST_INLINE void count_split(split_move how) noexcept {
    this->count(how == split_move::begun    ? &self::splits_begun
                : how == split_move::raised ? &self::splits_raised
                                            : &self::splits_lowered);
  }
};

}  // namespace fencepost
