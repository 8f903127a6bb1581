// Blitz's sleep manager and worker loop, written from their description and, where that is silent,
// after the published code; the scenarios of published/blitz_sleep.hpp run on it. As in Blitz,
// every access to the counters is sequentially consistent, and a blocked worker waits while it is
// blocked and the pool is not stopping. The latch of each worker is left out: nothing sets it
// (BLITZ-19).
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/sleep_counters.hpp"

namespace fencepost::models::published {

// The parts that a scenario repairs, so that one thing is wrong at a time, and the changes of later
// versions. By default: as described.
struct blitz_version {
  bool announcement_makes_even = false;  // BLITZ-12, the direction of Rayon's counter
  bool internal_jobs_fenced = false;     // BLITZ-32
  bool looks_before_it_locks = false;    // BLITZ-29, a later version's shortcut
  bool modifies_for_fence = false;       // BLITZ-30, a later version's fetch_add of 0
  bool shutdown_fenced = false;          // BLITZ-46, for the version that looks before it locks
};

template <class P, unsigned Workers, blitz_version Version = blitz_version{}>
class blitz_pool {
 public:
  using counters = sleep_counters;
  static constexpr auto seq_cst = std::memory_order_seq_cst;

  // The queues are numbers. Internal jobs are those of a deque, injected ones those of the stack.
  void post_internal() {
    const bool was_empty = internal_.fetch_add(1, std::memory_order_release) == 0;
    if (Version.internal_jobs_fenced) P::fence(seq_cst);
    new_jobs(was_empty);
  }
  void post_injected() {
    const bool was_empty = injected_.fetch_add(1, std::memory_order_release) == 0;
    if constexpr (Version.modifies_for_fence) {
      counters_.fetch_add(0, seq_cst);
    } else {
      P::fence(seq_cst);
    }
    new_jobs(was_empty);
  }
  // A post whose job has already run.
  void post_of_old() { new_jobs(true); }

  // A worker's idle loop, until it has a job; `run` is the job.
  template <class Job>
  void work(unsigned worker, Job&& run) {
    counters_.fetch_add(counters::one_inactive, seq_cst);
    std::uint32_t snapshot = announce_sleepy();
    while (!stopping_.load(std::memory_order_acquire)) {
      if (take()) {
        const std::uint32_t to_wake = work_found();
        run();
        wake_threads(to_wake);
        return;
      }
      sleep(worker, snapshot);
      snapshot = announce_sleepy();
    }
    work_found();
  }

  void stop() {
    stopping_.store(true, std::memory_order_release);
    if (Version.shutdown_fenced) P::fence(seq_cst);
    wake_threads(Workers);
  }

 private:
  struct place {
    typename P::mutex mutex;
    typename P::condition_variable condition;
    typename P::template atomic<bool> is_blocked{false};
  };

  counters load() const { return {counters_.load(seq_cst)}; }

  bool take() { return take(internal_) || take(injected_); }
  bool take(typename P::template atomic<unsigned>& queue) {
    unsigned jobs = queue.load(std::memory_order_relaxed);
    return jobs != 0 && queue.compare_exchange_strong(jobs, jobs - 1, std::memory_order_acquire,
                                                      std::memory_order_relaxed);
  }

  // Increments the jobs event counter if it is even, or if it is odd. Returns the old counters.
  counters increment_if(bool even) {
    counters old = load();
    while (old.sleepy() == even &&
           !counters_.compare_exchange_strong(old.word, old.word + counters::one_job_event, seq_cst,
                                              std::memory_order_relaxed)) {
    }
    return old;
  }
  std::uint32_t announce_sleepy() {
    increment_if(!Version.announcement_makes_even);
    return load().jobs();
  }

  void sleep(unsigned worker, std::uint32_t snapshot) {
    place& here = places_[worker];
    std::unique_lock<typename P::mutex> lock{here.mutex};
    counters seen = load();
    do {
      if (seen.jobs() != snapshot) return;
    } while (!counters_.compare_exchange_strong(seen.word, seen.one_more_asleep().word, seq_cst,
                                                std::memory_order_relaxed));
    P::fence(seq_cst);
    if (injected_.load(std::memory_order_relaxed) != 0) {
      counters_.fetch_sub(counters::one_sleeping, seq_cst);
      return;
    }
    here.is_blocked.store(true, std::memory_order_release);
    if (Version.shutdown_fenced) P::fence(seq_cst);
    while (here.is_blocked.load(std::memory_order_acquire) &&
           !stopping_.load(std::memory_order_acquire)) {
      here.condition.wait(lock);
    }
  }

  std::uint32_t work_found() {
    const counters old{counters_.fetch_sub(counters::one_inactive, seq_cst)};
    return old.to_wake_in_its_place(2);
  }

  void new_jobs(bool queue_was_empty) {
    wake_threads(increment_if(true).to_wake(1, queue_was_empty));
  }

  void wake_threads(std::uint32_t count) {
    for (unsigned worker = 0; worker < Workers && count != 0; ++worker) {
      if (wake_specific_thread(worker)) --count;
    }
  }
  bool wake_specific_thread(unsigned worker) {
    place& there = places_[worker];
    if (Version.looks_before_it_locks && !there.is_blocked.load(std::memory_order_acquire)) {
      return false;
    }
    const std::unique_lock<typename P::mutex> lock{there.mutex};
    if (!there.is_blocked.load(std::memory_order_acquire)) return false;
    there.is_blocked.store(false, std::memory_order_release);
    there.condition.notify_one();
    counters_.fetch_sub(counters::one_sleeping, seq_cst);
    return true;
  }

  typename P::template atomic<std::uint64_t> counters_{0};
  typename P::template atomic<bool> stopping_{false};
  typename P::template atomic<unsigned> internal_{0}, injected_{0};
  place places_[Workers];
};

}  // namespace fencepost::models::published
