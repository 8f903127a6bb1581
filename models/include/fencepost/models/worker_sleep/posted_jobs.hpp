// Claims of the sleep protocol about a job that is posted while workers fall asleep: it is found.
#pragma once

#include "fencepost/models/undisturbed.hpp"
#include "fencepost/models/worker_sleep/sleeping_pool.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost::models::worker_sleep_scenarios {

template <class P>
struct posted_job_is_found {
  static constexpr auto about =
      scenario{.name = "worker_sleep/posted_job_is_found",
               .threads = 2,
               .claim = "a job posted while a worker falls asleep is found by that worker",
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

// An earlier post has left the jobs event counter odd: the poster does not write to it.
template <class P, class Counters = sleep_counters>
struct internal_job {
  pool<P, Counters> jobs{1};
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      require(jobs.find_internal(0), "the job is found");
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

template <class P>
struct internal_job_is_found : internal_job<P> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/internal_job_is_found",
               .threads = 2,
               .claim = "a job that the last search does not cover is found if its post is fenced",
               .timeouts = 0};
};

template <class P>
struct two_posters {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/two_posters",
                   .threads = 3,
                   .claim = "a worker misses neither of two jobs posted concurrently"});
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

// One post of two jobs, which the last look ignores.
template <class P>
struct two_sleepers {
  static constexpr auto about = undisturbed(
      {.name = "worker_sleep/two_sleepers", .threads = 3, .claim = "two jobs wake two workers"});
  pool<P> jobs{2};
  void thread(unsigned index) {
    if (index == 2) {
      jobs.post(2);
    } else {
      require(jobs.find_internal(index), "each worker finds a job");
    }
  }
  void after() { jobs.is_quiet(); }
};

// The poster may rely on worker 0, which is idle and awake; but that worker leaves for something
// else.
template <class P>
struct left_to_another {
  static constexpr auto about = scenario{
      .name = "worker_sleep/left_to_another",
      .threads = 3,
      .claim = "a worker that leaves wakes a replacement, which finds the jobs left behind",
      .spurious_wakeups = 0,
      .timeouts = 0};
  pool<P> jobs{2};
  void thread(unsigned index) {
    if (index == 0) {
      static_cast<void>(jobs.sleep.start_looking(0));
      jobs.sleep.work_found();
    } else if (index == 1) {
      require(jobs.find_internal(1), "the job is found");
    } else {
      jobs.post(1);
    }
  }
  void after() { jobs.is_quiet(); }
};

// The poster finds one worker asleep, or both. Worker 0 leaves when its time is up. Before that it
// may be woken twice, by the poster and by the other worker, each time just as its time is up.
template <class P>
struct sleeper_leaves_in_time {
  static constexpr auto about = scenario{.name = "worker_sleep/sleeper_leaves_in_time",
                                         .threads = 3,
                                         .claim =
                                             "a sleeper that times out consumes no other worker's "
                                             "wake-up: another worker finds the job",
                                         .spurious_failures = 0,
                                         .spurious_wakeups = 0,
                                         .timeouts = 3};
  pool<P> jobs{2};
  bool found[2] = {};
  void thread(unsigned index) {
    if (index == 0) {
      found[0] = jobs.find_in_time(0);
      if (found[0]) jobs.sleep.stop();
    } else if (index == 1) {
      found[1] = jobs.find_internal(1);
    } else {
      while (jobs.sleep.counters().sleeping() == 0) P::spin_pause();
      jobs.post(1);
    }
  }
  void after() {
    require(found[0] != found[1], "one of them finds the job");
    jobs.is_quiet();
  }
};

// The queue is the kit's injector: posts pass on what push() returns, and the last look is empty().
template <class P>
struct with_injector {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/with_injector",
                   .threads = 2,
                   .claim = "a worker finds every job pushed to an injector, fully published"});
  struct job : injector_link<job, P> {
    typename P::template plain<unsigned> number;
  };
  worker_sleep<P> sleep{1, {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1}};
  injector<job, P> queue;
  job jobs[2];
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned expected = 0; expected < 2; ++expected) {
        require(find().number.get() == expected, "the jobs are found in their order");
      }
      return;
    }
    for (unsigned number = 0; number < 2; ++number) {
      jobs[number].number.set(number);
      const bool was_empty = queue.push(jobs[number]);
      sleep.new_jobs(1, was_empty);
    }
  }
  job& find() {
    core_latch<P> never_set;
    auto idle = sleep.start_looking(0);
    for (;;) {
      sleep.no_work_found(idle, never_set, [this]() noexcept { return !queue.empty(); });
      if (job* found = queue.pop()) {
        sleep.work_found();
        return *found;
      }
    }
  }
};

}  // namespace fencepost::models::worker_sleep_scenarios
