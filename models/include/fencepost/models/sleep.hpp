// What the sleep protocol claims, one scenario a claim. Rounds are cut down to the shortest: a
// worker announces itself after its first search, and blocks after its second.
// sleep_faults.hpp has what must be violated.
#pragma once

#include <atomic>

#include "fencepost/models/scenario_list.hpp"
#include "fencepost/scenario.hpp"
#include "fencepost/sync/sleep.hpp"

namespace fencepost::models {

namespace sleep_scenarios {

// A pool with a number for a queue. Looking at it is relaxed, as in a deque's steal.
template <class P, class Counters = sleep_counters>
class pool {
 public:
  explicit pool(unsigned workers)
      : sleep{workers, {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1}} {}

  // Makes jobs findable; whether there were none before.
  bool add(unsigned jobs) { return jobs_.fetch_add(jobs, std::memory_order_release) == 0; }
  void post(unsigned jobs) {
    const bool was_empty = add(jobs);
    sleep.new_jobs(jobs, was_empty);
  }
  void post_unfenced() {
    const bool was_empty = add(1);
    sleep.new_jobs_unfenced(1, was_empty);
  }
  // A post whose job is done: leaves the jobs event counter odd.
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

  // A worker looks for one job until it has it; false: the pool stops. It then leaves for good, as
  // one whose job does not end: the others cannot count on it.
  bool find(unsigned worker, bool last_look = true) {
    return find(worker, last_look, [] {});
  }
  template <class Before>
  bool find(unsigned worker, bool last_look, Before&& before_search) {
    core_latch<P> never_set;
    auto idle = sleep.start_looking(worker);
    bool found = false;
    while (!sleep.stopping() && !(before_search(), found = take())) {
      sleep.no_work_found(idle, never_set, [&]() noexcept { return last_look && any(); });
    }
    sleep.work_found();
    return found;
  }

  void is_quiet() const {
    require(sleep.counters().sleeping() == 0, "nobody is counted as sleeping");
    require(sleep.counters().inactive() == 0, "nobody is counted as idle");
  }

  worker_sleep<P, Counters> sleep;

 private:
  typename P::template atomic<unsigned> jobs_{0};
};

template <class P>
struct posted_job_is_found {
  static constexpr auto about =
      scenario{.name = "sleep/posted_job_is_found",
               .threads = 2,
               .claim = "a job that is posted while a worker falls asleep is found by it",
               .timeouts = 0};
  pool<P> jobs{1};
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find(0), "the job is found");
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

// An old post has left the jobs event counter odd: who posts does not write to it.
template <class P, class Counters = sleep_counters>
struct internal_job {
  pool<P, Counters> jobs{1};
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find(0, false), "the job is found");
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

template <class P>
struct internal_job_is_found : internal_job<P> {
  static constexpr auto about = scenario{
      .name = "sleep/internal_job_is_found",
      .threads = 2,
      .claim = "a job in a place that the last look leaves out is found if it is posted fenced",
      .timeouts = 0};
};

template <class P>
struct two_posters {
  static constexpr auto about = scenario{.name = "sleep/two_posters",
                                         .threads = 3,
                                         .claim =
                                             "of two jobs that are posted at once a worker "
                                             "misses none",
                                         .spurious_wakeups = 0,
                                         .timeouts = 0};
  pool<P> jobs{1};
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find(0), "the first is found");
      require(jobs.find(0), "the second is found");
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

template <class P>
struct two_sleepers {
  static constexpr auto about = scenario{.name = "sleep/two_sleepers",
                                         .threads = 3,
                                         .claim = "two jobs bring two workers to work",
                                         .spurious_wakeups = 0,
                                         .timeouts = 0};
  pool<P> jobs{2};
  void thread(unsigned index) {
    if (index == 2) {
      jobs.post(2);
    } else {
      require(jobs.find(index), "each finds one");
    }
  }
  void after() { jobs.is_quiet(); }
};

}  // namespace sleep_scenarios

using sleep_list =
    scenario_list<sleep_scenarios::posted_job_is_found, sleep_scenarios::internal_job_is_found,
                  sleep_scenarios::two_posters, sleep_scenarios::two_sleepers>;

}  // namespace fencepost::models
