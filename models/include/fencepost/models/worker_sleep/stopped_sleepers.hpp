// Claims of the sleep protocol about its end: a stop leaves no worker asleep.
#pragma once

#include "fencepost/models/undisturbed.hpp"
#include "fencepost/models/worker_sleep/sleeping_pool.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::worker_sleep_scenarios {

template <class P>
struct stop_strands_nobody {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/stop_strands_nobody",
                   .threads = 3,
                   .claim = "a pool that stops leaves no worker asleep, and workers observe what "
                            "precedes the stop"});
  pool<P> jobs{2};
  typename P::template plain<unsigned> reason;
  void thread(unsigned index) {
    if (index == 2) {
      reason.set(7);
      jobs.sleep.stop();
    } else {
      require(!jobs.find_internal(index), "there is no job");
      require(reason.get() == 7, "everything before the stop is visible");
    }
  }
  void after() { jobs.is_quiet(); }
};

template <class P>
struct poster_and_stopper {
  static constexpr auto about = undisturbed(
      {.name = "worker_sleep/poster_and_stopper",
       .threads = 3,
       .claim = "a worker finds the job or observes the stop, and is never left asleep"});
  pool<P> jobs{1};
  bool found = false;
  void thread(unsigned index) {
    if (index == 0) {
      found = jobs.find(0);
    } else if (index == 1) {
      jobs.post(1);
    } else {
      jobs.sleep.stop();
    }
  }
  void after() {
    require(found != jobs.any(), "the job is found, or still queued");
    jobs.is_quiet();
  }
};

}  // namespace fencepost::models::worker_sleep_scenarios
