// Claims of the sleep protocol about its jobs event counter, whatever its value, and about posts
// without a fence, which read it.
#pragma once

#include <cstdint>

#include "fencepost/models/undisturbed.hpp"
#include "fencepost/models/worker_sleep/sleeping_pool.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost::models::worker_sleep_scenarios {

// Another post, of no jobs, makes the jobs event counter odd: the poster may then only read it.
template <class P>
struct counter_is_odd {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/counter_is_odd",
                   .threads = 3,
                   .claim = "a job is found when another post has changed the counter"});
  pool<P> jobs{1};
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find_internal(0), "the job is found");
    } else if (index == 1) {
      jobs.sleep.new_jobs(0, true);
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

// The worker may fall asleep twice: the counters then have an earlier value again. Only without a
// fence can the poster have observed the earlier occurrence.
template <class P>
struct woken_for_nothing {
  static constexpr auto about = undisturbed(
      {.name = "worker_sleep/woken_for_nothing",
       .threads = 3,
       .claim = "a worker that wakes spuriously goes back to sleep, and finds the first job"});
  pool<P> jobs{1};
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find_internal(0), "the job is found");
    } else if (index == 1) {
      jobs.sleep.wake(0);
    } else {
      jobs.post_unfenced();
    }
  }
  void after() { jobs.is_quiet(); }
};

// A jobs event counter of one bit: two events bring it back to its old value.
struct short_counters : sleep_counters {
  constexpr std::uint32_t jobs() const noexcept { return sleep_counters::jobs() & 1; }
};

// Worker 0 announces itself too, which restores the counter's value that worker 1 remembers.
template <class P>
struct counter_wraps {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/counter_wraps",
                   .threads = 3,
                   .claim = "the last search finds a job that a counter overflow conceals"});
  pool<P, short_counters> jobs{2};
  void thread(unsigned index) {
    if (index == 0) {
      jobs.announce_and_leave(0);
    } else if (index == 1) {
      require(jobs.find(1), "the job is found");
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

template <class P>
struct first_unfenced_job {
  static constexpr auto about =
      scenario{.name = "worker_sleep/first_unfenced_job",
               .threads = 2,
               .claim = "even without a fence, the first job after an announcement is found",
               .timeouts = 0};
  pool<P> jobs{1};
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find_internal(0), "the job is found");
    } else {
      jobs.post_unfenced();
    }
  }
  void after() { jobs.is_quiet(); }
};

// As in fork-join: the poster takes the job itself if no worker has taken it.
template <class P>
struct unfenced_job_popped {
  static constexpr auto about =
      scenario{.name = "worker_sleep/unfenced_job_popped",
               .threads = 2,
               .claim = "a job posted without a fence is found by a worker or by its owner",
               .timeouts = 0};
  pool<P> jobs{1};
  bool worker = false, owner = false;
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      worker = jobs.find_internal(0);
    } else {
      jobs.post_unfenced();
      owner = jobs.take();
      jobs.sleep.stop();
    }
  }
  void after() {
    require(worker != owner, "the job is found exactly once");
    jobs.is_quiet();
  }
};

}  // namespace fencepost::models::worker_sleep_scenarios
