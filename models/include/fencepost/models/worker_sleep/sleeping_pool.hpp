// A pool of workers that look for jobs and sleep, for the scenarios of the sleep protocol.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost::models::worker_sleep_scenarios {

// A pool whose queue is only a number of jobs. Reads of it are relaxed, as in a deque's steal.
template <class P, class Counters = sleep_counters>
class pool {
 public:
  explicit pool(unsigned workers)
      : sleep{workers, {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1}} {}

  // Makes jobs available. Returns true if there were none before.
  bool add(unsigned jobs) { return jobs_.fetch_add(jobs, std::memory_order_release) == 0; }
  void post(unsigned jobs) {
    const bool was_empty = add(jobs);
    sleep.new_jobs(jobs, was_empty);
  }
  void post_unfenced() {
    const bool was_empty = add(1);
    sleep.new_jobs_unfenced(1, was_empty);
  }
  // A post whose job has already run: leaves the jobs event counter odd.
  void post_of_old() { sleep.new_jobs(1, true); }

  bool any() const noexcept { return jobs_.load(std::memory_order_relaxed) != 0; }
  bool take() {
    unsigned jobs = jobs_.load(std::memory_order_relaxed);
    while (jobs != 0) {
      if (jobs_.compare_exchange_weak(jobs, jobs - 1, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        return true;
      }
    }
    return false;
  }

  // Called by a worker: looks for a job until it has one, or returns false if the pool stops.
  // Afterwards others cannot rely on this worker, as if its job did not end.
  bool find(unsigned worker) {
    return find(worker, [this]() noexcept { return any(); });
  }
  // The same for jobs that the last look ignores.
  bool find_internal(unsigned worker) {
    return find(worker, []() noexcept { return false; });
  }
  // `before_search` is for faults.
  template <class LastLook, class BeforeSearch>
  bool find(unsigned worker, LastLook last_look, BeforeSearch before_search) {
    core_latch<P> never_set;
    auto idle = sleep.start_looking(worker);
    bool found = false;
    while (!found && !sleep.stopping()) {
      sleep.no_work_found(idle, never_set, last_look);
      before_search();
      found = take();
    }
    sleep.work_found();
    return found;
  }
  template <class LastLook>
  bool find(unsigned worker, LastLook last_look) {
    return find(worker, last_look, [] {});
  }

  // Called by a worker: looks for a job for a limited time; its last look ignores jobs.
  bool find_in_time(unsigned worker) {
    constexpr deadline some_time{};
    core_latch<P> never_set;
    auto idle = sleep.start_looking(worker);
    bool found = false;
    while (!found && sleep.no_work_found(
                         idle, never_set, []() noexcept { return false; }, some_time) !=
                         idle_result::time_is_up) {
      found = take();
    }
    sleep.work_found();
    return found;
  }
  // Called by a worker: announces itself and leaves, without a search.
  void announce_and_leave(unsigned worker) {
    core_latch<P> never_set;
    auto idle = sleep.start_looking(worker);
    sleep.no_work_found(idle, never_set, []() noexcept { return false; });
    sleep.work_found();
  }
  // Called by a worker: waits for its latch, whatever jobs there are.
  void wait(unsigned worker, core_latch<P>& latch) {
    auto idle = sleep.start_looking(worker);
    while (!latch.probe()) sleep.no_work_found(idle, latch, []() noexcept { return false; });
    sleep.work_found();
  }

  void is_quiet() const {
    require(sleep.counters().sleeping() == 0, "no worker is counted as sleeping");
    require(sleep.counters().inactive() == 0, "no worker is counted as idle");
  }

  worker_sleep<P, Counters> sleep;

 private:
  typename P::template atomic<unsigned> jobs_{0};
};

}  // namespace fencepost::models::worker_sleep_scenarios
