// The sleep protocol without each of its fences, orders and steps in turn, and what it does not
// promise: scenarios that must be violated.
#pragma once

#include <cstdint>

#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/undisturbed.hpp"
#include "fencepost/models/worker_sleep/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace worker_sleep_faults {

using worker_sleep_scenarios::internal_job;
using worker_sleep_scenarios::pool;
using worker_sleep_scenarios::short_counters;

// Announcing makes an even counter odd, as in Blitz: nothing ever makes it even again.
struct upside_down : sleep_counters {
  constexpr sleep_counters announced() const noexcept { return posted(); }
};
// A worker that leaves wakes nobody.
struct no_cascade : sleep_counters {
  constexpr std::uint32_t to_wake_in_its_place(std::uint32_t) const noexcept { return 0; }
};

template <class P>
struct counter_upside_down : internal_job<P, upside_down> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/counter_upside_down",
               .threads = 2,
               .claim = "a counter that an announcement makes odd never changes again",
               .expected = violation::liveness,
               .timeouts = 0};
};

// An old post has left the jobs event counter odd; the last look covers the job.
template <class P>
struct injected_job {
  static constexpr auto about = scenario{.name = {}, .threads = 2, .timeouts = 0};
  pool<P> jobs{1};
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      static_cast<void>(jobs.find(0));
    } else {
      jobs.post(1);
    }
  }
};

// The limit of new_jobs_unfenced(): a job that the last look does not cover may be missed.
template <class P>
struct unfenced_job_missed {
  static constexpr auto about =
      scenario{.name = "worker_sleep/unfenced_job_missed",
               .threads = 2,
               .claim = "a job posted without a fence may be missed, unless it is the first",
               .expected = violation::liveness,
               .timeouts = 0};
  pool<P> jobs{1};
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      static_cast<void>(jobs.find_internal(0));
    } else {
      jobs.post_unfenced();
    }
  }
};

// The limit of a counter that wraps around: a job that the last look does not cover is overlooked.
template <class P>
struct counter_wraps_unseen {
  static constexpr auto about =
      undisturbed({.name = "worker_sleep/counter_wraps_unseen",
                   .threads = 3,
                   .claim = "a counter overflow conceals a job that the last search does not cover",
                   .expected = violation::liveness});
  pool<P, short_counters> jobs{2};
  void thread(unsigned index) {
    if (index == 0) {
      jobs.announce_and_leave(0);
    } else if (index == 1) {
      static_cast<void>(jobs.find_internal(1));
    } else {
      jobs.post(1);
    }
  }
};

template <class P>
struct leaving_wakes_nobody {
  static constexpr auto about = undisturbed(
      {.name = "worker_sleep/leaving_wakes_nobody",
       .threads = 3,
       .claim = "a worker that leaves without waking another abandons the jobs left to it",
       .expected = violation::liveness});
  pool<P, no_cascade> jobs{2};
  void thread(unsigned index) {
    if (index == 0) {
      static_cast<void>(jobs.sleep.start_looking(0));
      jobs.sleep.work_found();
    } else if (index == 1) {
      static_cast<void>(jobs.find_internal(1));
    } else {
      jobs.post(1);
    }
  }
};

// One worker suffices to check what stop() publishes.
template <class P>
struct stop_publishes {
  pool<P> jobs{1};
  typename P::template plain<unsigned> reason;
  void thread(unsigned index) {
    if (index == 1) {
      reason.set(7);
      jobs.sleep.stop();
    } else if (jobs.sleep.stopping()) {
      require(reason.get() == 7, "everything before the stop is visible");
    }
  }
};

}  // namespace worker_sleep_faults

using worker_sleep_faults_list = scenario_list<
    worker_sleep_faults::counter_upside_down,
    order_fault<"worker_sleep/no_fence_in_announcement",
                worker_sleep_scenarios::internal_job_is_found,
                "worker_sleep.hpp:announce.fence=removed", violation::liveness,
                "without the fence after the announcement, the search misses the job">::on,
    order_fault<"worker_sleep/no_fence_in_registration", worker_sleep_scenarios::counter_wraps,
                "worker_sleep.hpp:last_look.fence=removed", violation::liveness,
                "without the fence after the registration, the last search misses the job">::on,
    order_fault<"worker_sleep/no_fence_in_post", worker_sleep_faults::injected_job,
                "worker_sleep.hpp:new_jobs.fence=removed", violation::liveness,
                "an injected job posted without a fence is missed by the last search">::on,
    worker_sleep_faults::unfenced_job_missed, worker_sleep_faults::counter_wraps_unseen,
    order_fault<"worker_sleep/relaxed_registration", worker_sleep_scenarios::internal_job_is_found,
                "worker_sleep.hpp:register=relaxed", violation::liveness,
                "with a relaxed registration, the waker misses the sleeper">::on,
    order_fault<"worker_sleep/relaxed_look_at_counters", worker_sleep_scenarios::counter_is_odd,
                "worker_sleep.hpp:new_jobs.look=relaxed", violation::liveness,
                "with a relaxed load of the counters, the poster misses the sleeper">::on,
    order_fault<"worker_sleep/relaxed_failure_of_post", worker_sleep_scenarios::counter_is_odd,
                "worker_sleep.hpp:post=failure:relaxed", violation::liveness,
                "the same with the load of a compare-exchange that fails">::on,
    order_fault<
        "worker_sleep/release_only_post", worker_sleep_scenarios::woken_for_nothing,
        "worker_sleep.hpp:post=release", violation::liveness,
        "the same with a compare-exchange that reads a value again that was read before">::on,
    order_fault<"worker_sleep/acquire_only_post", worker_sleep_scenarios::first_unfenced_job,
                "worker_sleep.hpp:post=acquire", violation::liveness,
                "with a compare-exchange that does not release, a worker observes the counter but "
                "not the job">::on,
    order_fault<"worker_sleep/relaxed_leaving", worker_sleep_scenarios::left_to_another,
                "worker_sleep.hpp:work_found=relaxed", violation::liveness,
                "with a relaxed subtraction, the leaving worker misses the sleeper">::on,
    worker_sleep_faults::leaving_wakes_nobody,
    order_fault<"worker_sleep/relaxed_stop", worker_sleep_faults::stop_publishes,
                "worker_sleep.hpp:stop=relaxed", violation::data_race,
                "with a relaxed store of the flag, a worker observes the stop but not what "
                "precedes it">::on,
    order_fault<"worker_sleep/relaxed_look_at_stop", worker_sleep_faults::stop_publishes,
                "worker_sleep.hpp:stopping=relaxed", violation::data_race,
                "with a relaxed load of the flag, a worker observes the stop but not what precedes "
                "it">::on>;

}  // namespace fencepost::models
