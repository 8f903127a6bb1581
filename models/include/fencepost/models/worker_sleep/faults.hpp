// What the sleep protocol would be without each of its fences, orders and steps, and what it does
// not promise: scenarios that must be violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/worker_sleep/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace worker_sleep_faults {

using worker_sleep_scenarios::internal_job;
using worker_sleep_scenarios::pool;
using worker_sleep_scenarios::short_counters;

// Announcing makes an even counter odd, as Blitz has it: nothing ever makes it even again.
struct upside_down : sleep_counters {
  constexpr sleep_counters announced() const noexcept { return posted(); }
};
// A worker that leaves wakes nobody.
struct no_cascade : sleep_counters {
  constexpr std::uint32_t to_wake_in_its_place(std::uint32_t) const noexcept { return 0; }
};

using faults::operation;
template <class T>
using is_word = std::is_same<T, std::uint64_t>;
template <class T>
using is_flag = std::is_same<T, bool>;
template <class P, operation Kind, std::memory_order From, std::memory_order To>
using on_counters = faults::weaker<P, Kind, From, To, is_word>;
template <class P, operation Kind, std::memory_order From>
using on_stopping = faults::weaker<P, Kind, From, std::memory_order_relaxed, is_flag>;

template <class P>
using unfenced = faults::without_fence<P, std::memory_order_seq_cst>;

template <class P>
struct counter_upside_down : internal_job<P, upside_down> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/counter_upside_down",
               .threads = 2,
               .claim = "a counter that an announcement makes odd never changes again",
               .expected = violation::liveness,
               .timeouts = 0};
};

// The poster has its fence, the worker has none.
template <class P>
struct no_fence_in_announcement {
  static constexpr auto about =
      scenario{.name = "worker_sleep/no_fence_in_announcement",
               .threads = 2,
               .claim = "without the fence after the announcement, the search misses the job",
               .expected = violation::liveness,
               .timeouts = 0};
  pool<unfenced<P>> jobs{1};
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      static_cast<void>(jobs.find_internal(0));
    } else {
      jobs.add(1);
      P::fence(std::memory_order_seq_cst);
      jobs.sleep.new_jobs_unfenced(1, true);
    }
  }
};

// All have their fences, but for the worker's after its registration.
template <class P>
struct no_fence_in_registration {
  static constexpr auto about =
      scenario{.name = "worker_sleep/no_fence_in_registration",
               .threads = 3,
               .claim = "without the fence after the registration, the last search misses the job",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
  pool<unfenced<P>, short_counters> jobs{2};
  void thread(unsigned index) {
    if (index == 0) {
      jobs.announce_and_leave(0);
    } else if (index == 1) {
      static_cast<void>(jobs.find(
          1, [this]() noexcept { return jobs.any(); },
          [] { P::fence(std::memory_order_seq_cst); }));
    } else {
      jobs.add(1);
      P::fence(std::memory_order_seq_cst);
      jobs.sleep.new_jobs_unfenced(1, true);
    }
  }
};

// The worker has its fences, the poster has none.
template <class P>
struct no_fence_in_post {
  static constexpr auto about =
      scenario{.name = "worker_sleep/no_fence_in_post",
               .threads = 2,
               .claim = "an injected job posted without a fence is missed by the last search",
               .expected = violation::liveness,
               .timeouts = 0};
  pool<P> jobs{1};
  void before() { jobs.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      static_cast<void>(jobs.find(0));
    } else {
      jobs.post_unfenced();
    }
  }
};

// The limit of new_jobs_unfenced(): as above, for a job that the last look leaves out.
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

// The limit of a counter that wraps around: a job that the last look leaves out is overlooked.
template <class P>
struct counter_wraps_unseen {
  static constexpr auto about =
      scenario{.name = "worker_sleep/counter_wraps_unseen",
               .threads = 3,
               .claim = "a counter overflow conceals a job that the last search does not cover",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
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
struct relaxed_registration
    : internal_job<on_counters<P, operation::compare_exchange, std::memory_order_release,
                               std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/relaxed_registration",
               .threads = 2,
               .claim = "with a relaxed registration, the waker misses the sleeper",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct relaxed_look_at_counters
    : worker_sleep_scenarios::counter_is_odd<
          on_counters<P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/relaxed_look_at_counters",
               .threads = 3,
               .claim = "with a relaxed load of the counters, the poster misses the sleeper",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

template <class P>
struct relaxed_failure_of_post
    : worker_sleep_scenarios::counter_is_odd<on_counters<
          P, operation::failed_exchange, std::memory_order_acquire, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/relaxed_failure_of_post",
               .threads = 3,
               .claim = "the same with the load of a compare-exchange that fails",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

template <class P>
struct release_only_post
    : worker_sleep_scenarios::woken_for_nothing<on_counters<
          P, operation::compare_exchange, std::memory_order_acq_rel, std::memory_order_release>> {
  static constexpr auto about = scenario{
      .name = "worker_sleep/release_only_post",
      .threads = 3,
      .claim = "the same with a compare-exchange that reads a value again that was read before",
      .expected = violation::liveness,
      .spurious_failures = 0,
      .spurious_wakeups = 0,
      .timeouts = 0};
};

template <class P>
struct acquire_only_post
    : worker_sleep_scenarios::first_unfenced_job<on_counters<
          P, operation::compare_exchange, std::memory_order_acq_rel, std::memory_order_acquire>> {
  static constexpr auto about = scenario{.name = "worker_sleep/acquire_only_post",
                                         .threads = 2,
                                         .claim =
                                             "with a compare-exchange that does not release, a "
                                             "worker observes the counter but not the job",
                                         .expected = violation::liveness,
                                         .timeouts = 0};
};

template <class P>
struct relaxed_leaving
    : worker_sleep_scenarios::left_to_another<on_counters<
          P, operation::subtract, std::memory_order_acquire, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "worker_sleep/relaxed_leaving",
               .threads = 3,
               .claim = "with a relaxed subtraction, the leaving worker misses the sleeper",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
};

template <class P>
struct leaving_wakes_nobody {
  static constexpr auto about =
      scenario{.name = "worker_sleep/leaving_wakes_nobody",
               .threads = 3,
               .claim = "a worker that leaves without waking another abandons the jobs left to it",
               .expected = violation::liveness,
               .spurious_failures = 0,
               .spurious_wakeups = 0,
               .timeouts = 0};
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

// One worker is enough here: what stop() publishes.
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

template <class P>
struct relaxed_stop : stop_publishes<on_stopping<P, operation::store, std::memory_order_release>> {
  static constexpr auto about = scenario{
      .name = "worker_sleep/relaxed_stop",
      .threads = 2,
      .claim =
          "with a relaxed store of the flag, a worker observes the stop but not what precedes it",
      .expected = violation::data_race};
};

template <class P>
struct relaxed_look_at_stop
    : stop_publishes<on_stopping<P, operation::load, std::memory_order_acquire>> {
  static constexpr auto about = scenario{
      .name = "worker_sleep/relaxed_look_at_stop",
      .threads = 2,
      .claim =
          "with a relaxed load of the flag, a worker observes the stop but not what precedes it",
      .expected = violation::data_race};
};

}  // namespace worker_sleep_faults

using worker_sleep_faults_list = scenario_list<
    worker_sleep_faults::counter_upside_down, worker_sleep_faults::no_fence_in_announcement,
    worker_sleep_faults::no_fence_in_registration, worker_sleep_faults::no_fence_in_post,
    worker_sleep_faults::unfenced_job_missed, worker_sleep_faults::counter_wraps_unseen,
    worker_sleep_faults::relaxed_registration, worker_sleep_faults::relaxed_look_at_counters,
    worker_sleep_faults::relaxed_failure_of_post, worker_sleep_faults::release_only_post,
    worker_sleep_faults::acquire_only_post, worker_sleep_faults::relaxed_leaving,
    worker_sleep_faults::leaving_wakes_nobody, worker_sleep_faults::relaxed_stop,
    worker_sleep_faults::relaxed_look_at_stop>;

}  // namespace fencepost::models
