// The sleep protocol of Blitz, a thread pool in Zig after Rayon's model, as described.
//
// The checker finds: a worker that falls asleep misses the wake for a job that another worker posts
// to its own deque, because the jobs event counter never changes after the first event (BLITZ-12);
// with that repaired, because nothing orders the push before the read of the counters (BLITZ-32).
// The job is not lost: its poster can still run it. The wake for an injected job is not missed
// (BLITZ-30, 31), whatever the counter does, nor does shutdown strand a worker (BLITZ-46), until a
// later version looks at is_blocked without the lock (BLITZ-29). A cascade that follows the job
// never happens if the job waits for another (BLITZ-35).
#pragma once

#include <atomic>

#include "fencepost/models/core_latch/claims.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "fencepost/models/published/blitz_pool.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace blitz_sleep {

// One worker and one job; the counter is even at first. The poster has a fence, so that only the
// counter matters.
template <class P, bool MakesEven>
struct one_internal_job {
  blitz_pool<P, 1,
             blitz_version{.announcement_makes_even = MakesEven, .internal_jobs_fenced = true}>
      pool;
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(0, [] {});
    } else {
      pool.post_internal();
    }
  }
};

template <class P>
struct counter_direction : one_internal_job<P, false> {
  static constexpr auto about =
      scenario{.name = "published/blitz_counter_direction",
               .threads = 2,
               .claim = "BLITZ-12: a worker misses no wake for a job posted while it falls asleep",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct counter_direction_repaired : one_internal_job<P, true> {
  static constexpr auto about =
      scenario{.name = "published/blitz_counter_direction_repaired",
               .threads = 2,
               .claim = "the same with an announcement that makes the counter even",
               .timeouts = 0};
};

// The counter's direction is repaired. It is odd at first: a job was posted and has run.
template <class P>
struct internal_job {
  static constexpr auto about = scenario{.name = "published/blitz_internal_job",
                                         .threads = 2,
                                         .claim = "BLITZ-32: internal jobs need no fence",
                                         .expected = violation::liveness,
                                         .timeouts = 0};
  blitz_pool<P, 1, blitz_version{.announcement_makes_even = true}> pool;
  void before() { pool.post_of_old(); }
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(0, [] {});
    } else {
      pool.post_internal();
    }
  }
};

template <class P, blitz_version Version>
struct injected_job_race {
  blitz_pool<P, 1, Version> pool;
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(0, [] {});
    } else {
      pool.post_injected();
    }
  }
};

template <class P>
struct injected_job : injected_job_race<P, blitz_version{}> {
  static constexpr auto about =
      scenario{.name = "published/blitz_injected_job",
               .threads = 2,
               .claim = "BLITZ-30, 31: two fences, and no injected job is lost",
               .timeouts = 0};
};

template <class P>
struct injected_job_without_fence
    : injected_job_race<P, blitz_version{.modifies_for_fence = true}> {
  static constexpr auto about =
      scenario{.name = "published/blitz_injected_job_without_fence",
               .threads = 2,
               .claim = "BLITZ-30: a read-modify-write of the counters replaces the first fence",
               .timeouts = 0};
};

template <class P>
struct is_blocked_without_lock
    : injected_job_race<P, blitz_version{.looks_before_it_locks = true}> {
  static constexpr auto about =
      scenario{.name = "published/blitz_is_blocked_without_lock",
               .threads = 2,
               .claim = "BLITZ-29: a worker that is not yet blocked need not be woken",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P, blitz_version Version>
struct stop_of_one {
  blitz_pool<P, 1, Version> pool;
  void thread(unsigned index) {
    if (index == 0) {
      pool.work(0, [] {});
    } else {
      pool.stop();
    }
  }
};

template <class P>
struct shutdown : stop_of_one<P, blitz_version{}> {
  static constexpr auto about =
      scenario{.name = "published/blitz_shutdown",
               .threads = 2,
               .claim = "BLITZ-46: a flag, then a wake under each mutex, stops every worker",
               .timeouts = 0};
};

template <class P>
struct shutdown_without_lock : stop_of_one<P, blitz_version{.looks_before_it_locks = true}> {
  static constexpr auto about =
      scenario{.name = "published/blitz_shutdown_without_lock",
               .threads = 2,
               .claim = "BLITZ-46: shutdown need not wake a worker that is not yet blocked",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct shutdown_without_lock_repaired
    : stop_of_one<P, blitz_version{.looks_before_it_locks = true, .shutdown_fenced = true}> {
  static constexpr auto about = scenario{.name = "published/blitz_shutdown_without_lock_repaired",
                                         .threads = 2,
                                         .claim =
                                             "the same with a fence on each side: between setting "
                                             "the flag and reading is_blocked, and the reverse",
                                         .timeouts = 0};
};

// Two jobs: each waits until the other has begun.
template <class P>
struct cascade_after_job {
  static constexpr auto about =
      scenario{.name = "published/blitz_cascade_after_job",
               .threads = 3,
               .claim = "BLITZ-35: other workers may be woken once the job that was found is done",
               .expected = violation::liveness,
               .spurious_wakeups = 0,
               .timeouts = 0};
  blitz_pool<P, 2, blitz_version{.announcement_makes_even = true}> pool;
  typename P::template atomic<unsigned> begun{0};
  void thread(unsigned index) {
    if (index == 2) {
      pool.post_injected();
      pool.post_injected();
    } else {
      pool.work(index, [this] {
        begun.fetch_add(1, std::memory_order_relaxed);
        while (begun.load(std::memory_order_relaxed) != 2) P::spin_pause();
      });
    }
  }
};

// A latch whose steps are weak compare-exchanges.
template <class P>
struct weak_latch
    : core_latch_scenarios::fails_only_when_set<with_order<P, "core_latch.hpp:move=weak">> {
  static constexpr auto about = scenario{
      .name = "published/blitz_weak_latch",
      .threads = 2,
      .claim = "BLITZ-18: a weak compare-exchange suffices for a worker to sleep and wake up",
      .expected = violation::assertion};
};

}  // namespace blitz_sleep

using blitz_sleep_list =
    scenario_list<blitz_sleep::counter_direction, blitz_sleep::counter_direction_repaired,
                  blitz_sleep::internal_job, blitz_sleep::injected_job,
                  blitz_sleep::injected_job_without_fence, blitz_sleep::is_blocked_without_lock,
                  blitz_sleep::shutdown, blitz_sleep::shutdown_without_lock,
                  blitz_sleep::shutdown_without_lock_repaired, blitz_sleep::cascade_after_job,
                  blitz_sleep::weak_latch>;

}  // namespace fencepost::models::published
