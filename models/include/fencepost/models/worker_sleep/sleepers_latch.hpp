// Claims of the sleep protocol about a worker that waits for a latch, asleep if necessary.
#pragma once

#include <memory>

#include "fencepost/models/undisturbed.hpp"
#include "fencepost/models/worker_sleep/sleeping_pool.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/core_latch.hpp"

namespace fencepost::models::worker_sleep_scenarios {

// A worker waits for a latch, asleep if necessary; the setter has written data before.
template <class P>
struct latch_wakes {
  static constexpr auto about = scenario{
      .name = "worker_sleep/latch_wakes",
      .threads = 2,
      .claim = "setting a latch wakes the worker that sleeps on it, which may then destroy it",
      .timeouts = 0};
  pool<P> jobs{1};
  std::unique_ptr<core_latch<P>> latch = std::make_unique<core_latch<P>>();
  typename P::template plain<unsigned> result;
  void thread(unsigned index) {
    if (index == 0) {
      jobs.wait(0, *latch);
      require(result.get() == 7, "the complete result is visible");
      latch.reset();
    } else {
      core_latch<P>& mine = *latch;
      result.set(7);
      jobs.sleep.set_latch(mine, 0);
    }
  }
  void after() { jobs.is_quiet(); }
};

// Jobs arrive as well, for which the worker is woken, and which it does not take.
template <class P>
struct latch_among_jobs {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/latch_among_jobs",
                   .threads = 3,
                   .claim = "a worker woken for a job still observes its latch"});
  pool<P> jobs{1};
  core_latch<P> latch;
  void thread(unsigned index) {
    if (index == 0) {
      jobs.wait(0, latch);
    } else if (index == 1) {
      jobs.sleep.set_latch(latch, 0);
    } else {
      jobs.sleep.new_jobs(1, true);
    }
  }
  void after() { jobs.is_quiet(); }
};

}  // namespace fencepost::models::worker_sleep_scenarios
