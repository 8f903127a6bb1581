// What the sleep protocol claims, one scenario a claim. Rounds are cut down to the shortest: a
// worker announces itself, searches once, and blocks.
// faults.hpp has what must be violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "fencepost/models/undisturbed.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost::models {

namespace worker_sleep_scenarios {

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
  bool find(unsigned worker) {
    return find(worker, [this]() noexcept { return any(); });
  }
  // The same for jobs that the last look leaves out.
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

  // A worker that announces itself and leaves, without a search.
  void announce_and_leave(unsigned worker) {
    core_latch<P> never_set;
    auto idle = sleep.start_looking(worker);
    sleep.no_work_found(idle, never_set, []() noexcept { return false; });
    sleep.work_found();
  }
  // A worker that waits for its latch, whatever jobs there are.
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

// An old post has left the jobs event counter odd: the poster does not write to it.
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

// One post of two jobs, which the last look leaves out.
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

// The poster may count on worker 0, which is idle and awake; but that one leaves for something
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

// Someone else has posted no jobs, but made the jobs event counter odd: the poster only reads it.
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

// The worker may lie down twice: the counters then have a value again that they had before. Only
// without a fence can the poster have observed the first one.
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

// The queue is the kit's own: posts say what push() says, and the last look is empty().
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

// A jobs event counter of one bit: two events, and it is what it was.
struct short_counters : sleep_counters {
  constexpr std::uint32_t jobs() const noexcept { return sleep_counters::jobs() & 1; }
};

// Worker 0 announces itself too, and so brings the counter back to what worker 1 remembers.
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

// As a fork-join: the poster takes the job itself if no worker has.
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

// A worker waits for a latch, asleep if necessary; the setter has published something before.
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

// Jobs come as well, for which the worker is woken, and which it leaves alone.
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

}  // namespace worker_sleep_scenarios

using worker_sleep_claims_list = scenario_list<
    worker_sleep_scenarios::posted_job_is_found, worker_sleep_scenarios::internal_job_is_found,
    worker_sleep_scenarios::two_posters, worker_sleep_scenarios::two_sleepers,
    worker_sleep_scenarios::left_to_another, worker_sleep_scenarios::counter_is_odd,
    worker_sleep_scenarios::woken_for_nothing, worker_sleep_scenarios::with_injector,
    worker_sleep_scenarios::counter_wraps, worker_sleep_scenarios::first_unfenced_job,
    worker_sleep_scenarios::unfenced_job_popped, worker_sleep_scenarios::latch_wakes,
    worker_sleep_scenarios::latch_among_jobs, worker_sleep_scenarios::stop_strands_nobody,
    worker_sleep_scenarios::poster_and_stopper>;

}  // namespace fencepost::models
