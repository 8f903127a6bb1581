// Shared by the scenarios of a strand: tasks, and the threads that take the turns.
#pragma once

#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/strand_core.hpp"

namespace fencepost::models::strand_scenarios {

// Appends its digit to the number of the tasks that have run.
template <class P>
struct numbered_task final : pool_job<P> {
  numbered_task(typename P::template plain<unsigned>& to, unsigned digit)
      : pool_job<P>{&run_it}, seen{to}, number{digit} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<numbered_task&>(job);
    me.seen.set(me.seen.get() * 10 + me.number);
  }
  typename P::template plain<unsigned>& seen;
  const unsigned number;  // unwatched: never changed
};

// Runs turns in the calling thread until no more are due.
template <class P>
strand_turn run_turns(strand_core<P>& core, unsigned most) {
  strand_turn left;
  do {
    left = core.run_turn(most);
  } while (left == strand_turn::more);
  return left;
}

// The thread that is told to run a turn does so itself: no pool adds order to the strand's.
template <class P>
void post(strand_core<P>& core, pool_job<P>& task, unsigned most = strand_core<P>::most_in_a_turn) {
  if (core.put(task)) static_cast<void>(run_turns(core, most));
}

// The job that runs the tasks on a pool of one worker, as in strand.hpp.
template <class P>
struct turns_of_a_worker final : pool_job<P> {
  explicit turns_of_a_worker(pool_core<P>& of) : pool_job<P>{&run_it}, pool{of} {}
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<turns_of_a_worker&>(job);
    if (me.core.run_turn(1) == strand_turn::more) me.pool.push_surely(me.pool.at(0), me);
  }
  [[nodiscard]] bool post(pool_job<P>& task) noexcept {
    return pool.inject_if([&]() noexcept { return core.put(task); }, *this);
  }
  pool_core<P>& pool;
  strand_core<P> core;
};

}  // namespace fencepost::models::strand_scenarios
