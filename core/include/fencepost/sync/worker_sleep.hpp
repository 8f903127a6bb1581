// How the workers of a thread pool go to sleep when there is no work, and how posters wake them.
//
//   idle worker: search, search, … announce itself sleepy, search once more, sleep
//   poster:      make the job findable, fence, read the counters, wake the workers it needs
//
// The protocol knows nothing of queues. A worker searches on its own; between two searches it calls
// no_work_found(), which lets a number of rounds pass, announces the worker, and finally blocks it,
// if desired until a deadline. The callable passed to it is the last search: it must report whether
// there is injected work.
// docs/components/worker_sleep.md has each side's steps and the proof that no wake-up is lost.
//
// Threads: start_looking(), no_work_found() and work_found(): a worker, for itself; each worker has
// its own index. The rest: any thread. Construction happens before all calls, and all have returned
// before destruction.
//
// Claims (worker_sleep/…):
//   a job posted by new_jobs() is found by a worker that searches, or that it wakes
//                          posted_job_is_found, two_posters, two_sleepers, counter_is_odd
//   ... in the kit's injector                                    with_injector
//   ... where the last search does not cover it                  internal_job_is_found
//   ... when the idle worker on which the poster relied leaves   left_to_another
//   ... when the jobs event counter overflows, if the last
//       search covers it; the limit: counter_wraps_unseen        counter_wraps
//   a job posted by new_jobs_unfenced() is found by a worker
//       whose announcement no other post has followed            first_unfenced_job,
//                                                                woken_for_nothing
//   ... by its owner, if by no other worker; the limit:
//       unfenced_job_missed                                      unfenced_job_popped
//   setting a latch wakes the worker that waits for it           latch_wakes, latch_among_jobs
//   a worker that wakes at its deadline takes no wake-up that
//       another needs                                            sleeper_leaves_in_time
//   stop() leaves no worker asleep                               stop_strands_nobody,
//                                                                poster_and_stopper
//   the counters are exact in quiescence                         (all)
//
// Limits: at most 65,535 workers. The jobs event counter has 32 bits: if exactly a multiple of 2^32
// events falls between a worker's announcement and its registration, the worker misses them all.
// The last search still finds injected jobs; an internal one can then be missed.
//
// Progress: posting is lock-free while no worker sleeps; otherwise it takes a sleeper's mutex,
// which is held for a few instructions and the last search. Costs: new_jobs(), a fence and a load
// while no worker sleeps and none has announced itself since the last post, one locked instruction
// more if one has; new_jobs_unfenced(), the same without the fence. Allocates once: a cache line or
// two per worker.
// Source: Blitz's thread pool (BLITZ-04 to 48), repaired; its model is Rayon's.
#pragma once

#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/sleep_counters.hpp"
#include "fencepost/sync/sleep_options.hpp"

namespace fencepost {

enum class idle_result : std::uint8_t {
  look_again,  // a round has passed: yield the processor if you like, and search
  look_now,    // the worker has slept, or was about to: there may be work
  time_is_up,  // the worker has slept until its deadline, and no thread has woken it
};

// The deadline of a worker that has none: no clock is read for it.
struct never_due {
  constexpr operator deadline() const noexcept { return no_deadline; }
};

template <class P = default_atomics, class Counters = sleep_counters>
class worker_sleep {  // The protocol; see above.
 public:
  static constexpr std::uint32_t most_workers = sleep_counters::most_workers;

  // A worker that searches for work; unwatched: its own thread's.
  class idle_worker {
    friend class worker_sleep;
    explicit idle_worker(std::uint32_t worker) noexcept : worker_(worker) {}
    std::uint32_t worker_;
    std::uint32_t rounds_ = 0;
    std::uint32_t jobs_ = 0;  // the jobs event counter when it announced itself
  };

  // For `workers` workers, numbered from 0. Throws std::invalid_argument for no workers and for
  // inconsistent options, std::length_error for more than most_workers, and std::bad_alloc.
  explicit worker_sleep(std::uint32_t workers, const sleep_options& options = {})
      : options_{options.checked()},
        workers_{checked(workers)},
        places_{std::make_unique<place[]>(workers)} {}

  worker_sleep(const worker_sleep&) = delete;
  worker_sleep& operator=(const worker_sleep&) = delete;

  // Worker, after a first failed search. It is idle until it calls work_found().
  [[nodiscard]] idle_worker start_looking(std::uint32_t worker) noexcept;
  // Worker, after each failed search: lets a round pass, or sleeps until it is woken or `latch`,
  // which it waits for, is set, or until the deadline. `has_injected` is called without arguments
  // right before the worker would block, under its mutex; it must not throw, and must not call this
  // object. Every search after the return observes the jobs for which the worker was woken. A
  // worker that is woken just as its deadline passes counts as woken.
  template <class HasInjected, class Until = never_due>
  idle_result no_work_found(idle_worker& idle, core_latch<P>& latch, HasInjected&& has_injected,
                            Until until = {});
  // Worker, when it stops searching, for whatever reason. Wakes others in its place, so it must be
  // called before the work is done.
  void work_found();

  // Any thread, after `jobs` jobs have been made findable. `queue_was_empty`: there were none
  // before in the same queue, as far as the caller knows. No worker stays asleep, or goes to sleep,
  // while the jobs are there and too few workers search.
  void new_jobs(std::uint32_t jobs, bool queue_was_empty);
  // The same for jobs that the caller itself looks for before it waits or ends, such as those of a
  // fork-join: without a fence, a worker that announces itself concurrently may miss them.
  void new_jobs_unfenced(std::uint32_t jobs, bool queue_was_empty);

  // Any thread. Sets a latch that `worker` waits for, and wakes it if it sleeps. The latch may have
  // been destroyed when this returns.
  void set_latch(core_latch<P>& latch, std::uint32_t worker);
  // Any thread. Wakes this worker if it sleeps; returns false if it does not.
  bool wake(std::uint32_t worker);
  // Any thread. Wakes `count` workers, or as many as it finds asleep; a worker that fell asleep may
  // be missed if the caller has acquired nothing from it since.
  void wake_any(std::uint32_t count);

  // Any thread. From now on no worker sleeps; sleeping workers are woken. For any threads X and Y:
  // everything sequenced before X's stop() happens before a stopping() of Y that returns true.
  void stop();
  // [stopping] acquire, with [stop]: everything before stop() is visible.
  bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }

  std::uint32_t workers() const noexcept { return workers_; }
  // The counters, as they are or have been.
  // [counters] relaxed, alone: orders nothing.
  Counters counters() const noexcept { return {{counters_.load(std::memory_order_relaxed)}}; }

 private:
  static constexpr std::size_t cache_line = 64;

  // Where a worker sleeps.
  struct alignas(cache_line) place {
    typename P::mutex mutex;
    typename P::condition_variable wake;
    // Changes under the mutex; a hint for threads that read it without. True before the worker is
    // counted as sleeping.
    typename P::template atomic<bool> asleep{false};
  };

  // parked() records that this worker sleeps, under a traced_policy; otherwise it does nothing.
  struct nothing {};
  static auto parked() noexcept {
    if constexpr (traced_policy<P>) {
      return P::trace::park();
    } else {
      return nothing{};
    }
  }

  static Counters as_counters(std::uint64_t word) noexcept { return {{word}}; }

  static std::uint32_t checked(std::uint32_t workers);

  FENCEPOST_NOINLINE void post(Counters seen, std::uint32_t jobs, bool queue_was_empty);
  std::uint32_t announce_sleepy() noexcept;
  bool register_asleep(std::uint32_t jobs) noexcept;
  template <class HasInjected, class Until>
  idle_result fall_asleep(idle_worker& idle, core_latch<P>& latch, HasInjected& has_injected,
                          Until until);
  template <class Until>
  bool block(place& here, std::unique_lock<typename P::mutex>& lock, Until until);
  void get_up(place& here) noexcept;

  alignas(cache_line) typename P::template atomic<std::uint64_t> counters_{0};
  alignas(cache_line) typename P::template atomic<bool> stopping_{false};
  // unwatched: never changed.
  const sleep_options options_;
  const std::uint32_t workers_;
  const std::unique_ptr<place[]> places_;
};

template <class P, class Counters>
auto worker_sleep<P, Counters>::start_looking(std::uint32_t worker) noexcept -> idle_worker {
  assert(worker < workers_);
  // [start_looking] relaxed, alone: a poster that observes this counts on a worker that has yet to
  // announce itself; its announcement is later in the word's modification order.
  counters_.fetch_add(Counters::one_inactive, std::memory_order_relaxed);
  return idle_worker{worker};
}

template <class P, class Counters>
template <class HasInjected, class Until>
idle_result worker_sleep<P, Counters>::no_work_found(idle_worker& idle, core_latch<P>& latch,
                                                     HasInjected&& has_injected, Until until) {
  static_assert(std::is_nothrow_invocable_r_v<bool, HasInjected&>,
                "the last look for injected work must be noexcept: a worker is already registered "
                "as sleeping when it is called");
  if (idle.rounds_ >= options_.rounds_until_sleeping) {
    return fall_asleep(idle, latch, has_injected, until);
  }
  if (idle.rounds_ == options_.rounds_until_sleepy) idle.jobs_ = announce_sleepy();
  ++idle.rounds_;
  return idle_result::look_again;
}

// Makes the jobs event counter even; returns its new value.
template <class P, class Counters>
std::uint32_t worker_sleep<P, Counters>::announce_sleepy() noexcept {
  // [announce.look] relaxed, with [post]: acquired by the fence.
  Counters seen = as_counters(counters_.load(std::memory_order_relaxed));
  Counters next;
  do {
    next = as_counters(seen.announced().word);
    // [announce] relaxed, relaxed on failure, with [new_jobs.look], [post]: ordered by the fence.
  } while (next != seen &&
           !counters_.compare_exchange_weak(seen.word, next.word, std::memory_order_relaxed,
                                            std::memory_order_relaxed));
  // [announce.fence] seq_cst, with [new_jobs.fence], [post]: store buffering: either the poster
  // observes this announcement in the word, or the search that follows observes the job. As an
  // acquire fence: a worker that read the counter made odd by post() finds its job.
  P::fence(std::memory_order_seq_cst);
  return next.jobs();
}

// Counts this worker as sleeping, unless there was a post since it announced itself.
template <class P, class Counters>
bool worker_sleep<P, Counters>::register_asleep(std::uint32_t jobs) noexcept {
  // [register.look] relaxed, alone: no data but the word is read.
  Counters seen = as_counters(counters_.load(std::memory_order_relaxed));
  while (seen.jobs() == jobs) {
    // [register] release, relaxed on failure, with [new_jobs.look], [post], [work_found]: a thread
    // that reads the count observes `asleep`. Relaxed on failure: no data but the word is read.
    if (counters_.compare_exchange_weak(seen.word, seen.one_more_asleep().word,
                                        std::memory_order_release, std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

template <class P, class Counters>
template <class HasInjected, class Until>
idle_result worker_sleep<P, Counters>::fall_asleep(idle_worker& idle, core_latch<P>& latch,
                                                   HasInjected& has_injected, Until until) {
  idle_result result = idle_result::look_now;
  if (!latch.get_sleepy()) return result;
  place& here = places_[idle.worker_];
  std::unique_lock<typename P::mutex> lock{here.mutex};
  idle.rounds_ = 0;
  if (!latch.fall_asleep()) return result;
  // [asleep.raise] relaxed, with [wake_any]: published by the release in register_asleep().
  here.asleep.store(true, std::memory_order_relaxed);
  if (!register_asleep(idle.jobs_)) {
    // [asleep.lower] relaxed, alone: under the mutex.
    here.asleep.store(false, std::memory_order_relaxed);
    idle.rounds_ = options_.rounds_until_sleepy;
  } else {
    // [last_look.fence] seq_cst, with [new_jobs.fence]: store buffering: either the poster observes
    // this worker among the sleeping, or the last search observes the job. Unless the counter
    // overflows, the announcement's fence does the same. kept seq_cst: when the counter overflows,
    // acquire and release suffice if each worker that announces itself meanwhile searches
    // everywhere, and this must not depend on another's search; a system call follows.
    P::fence(std::memory_order_seq_cst);
    // [last_look.stop] relaxed, with [stop]: stop() acquires the mutex after it has set the flag.
    // If that was earlier, the flag is observed here; if not, stop() finds this worker blocked.
    if (stopping_.load(std::memory_order_relaxed) || has_injected()) {
      get_up(here);
    } else if (!block(here, lock, until)) {
      get_up(here);
      result = idle_result::time_is_up;
    }
  }
  latch.wake_up();
  return result;
}

// Blocks until this worker is woken; returns false if the deadline has passed before.
template <class P, class Counters>
template <class Until>
bool worker_sleep<P, Counters>::block(place& here, std::unique_lock<typename P::mutex>& lock,
                                      Until until) {
  [[maybe_unused]] const auto until_awake = parked();
  const deadline end = until;
  bool in_time = true;
  // [blocked] relaxed, alone: under the mutex.
  while (here.asleep.load(std::memory_order_relaxed)) {
    if (!in_time) return false;
    if (end == no_deadline) {
      here.wake.wait(lock);
    } else {
      in_time = here.wake.wait_until(lock, end) == std::cv_status::no_timeout;
    }
  }
  return true;
}

// Called under its mutex by a worker that was not woken: no waker then finds it asleep, or counts
// it.
template <class P, class Counters>
void worker_sleep<P, Counters>::get_up(place& here) noexcept {
  // [get_up.lower] relaxed, alone: under the mutex.
  here.asleep.store(false, std::memory_order_relaxed);
  // [get_up.uncount] relaxed, alone: only the number counts; no other thread subtracts it.
  counters_.fetch_sub(Counters::one_sleeping, std::memory_order_relaxed);
}

template <class P, class Counters>
void worker_sleep<P, Counters>::work_found() {
  // [work_found] acquire, with [register]: a worker in the count is observed asleep.
  const Counters before =
      as_counters(counters_.fetch_sub(Counters::one_inactive, std::memory_order_acquire));
  if (before.sleeping() == 0) return;
  wake_any(before.to_wake_in_its_place(options_.wake_in_its_place));
}

template <class P, class Counters>
inline void worker_sleep<P, Counters>::new_jobs(std::uint32_t jobs, bool queue_was_empty) {
  // [new_jobs.fence] seq_cst, with [announce.fence], [last_look.fence]: store buffering: between
  // making the jobs findable and reading the counters.
  P::fence(std::memory_order_seq_cst);
  new_jobs_unfenced(jobs, queue_was_empty);
}

template <class P, class Counters>
inline void worker_sleep<P, Counters>::new_jobs_unfenced(std::uint32_t jobs, bool queue_was_empty) {
  // [new_jobs.look] acquire, with [register], [announce]: a worker in the count is observed asleep.
  const Counters seen = as_counters(counters_.load(std::memory_order_acquire));
  if (seen.sleepy() || seen.sleeping() != 0) [[unlikely]] {
    post(seen, jobs, queue_was_empty);
  }
}

// Makes the jobs event counter odd, and wakes the workers it needs.
template <class P, class Counters>
void worker_sleep<P, Counters>::post(Counters seen, std::uint32_t jobs, bool queue_was_empty) {
  while (seen.sleepy()) {
    // [post] acq_rel, acquire on failure, with [register], [announce.look], [announce],
    // [announce.fence]: acquire, each: a worker in the count is observed asleep. Release: a worker
    // that announces itself later finds the job, through the release sequence of later exchanges.
    if (counters_.compare_exchange_weak(seen.word, seen.posted().word, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
      break;
    }
  }
  wake_any(seen.to_wake(jobs, queue_was_empty));
}

template <class P, class Counters>
void worker_sleep<P, Counters>::set_latch(core_latch<P>& latch, std::uint32_t worker) {
  if (latch.set()) wake(worker);
}

// A thread that acquires the mutex after a worker has committed itself finds it asleep, or awake
// again.
template <class P, class Counters>
bool worker_sleep<P, Counters>::wake(std::uint32_t worker) {
  assert(worker < workers_);
  place& there = places_[worker];
  {
    const std::unique_lock<typename P::mutex> lock{there.mutex};
    // [wake.look] relaxed, alone: under the mutex.
    if (!there.asleep.load(std::memory_order_relaxed)) return false;
    // [wake.lower] relaxed, alone: under the mutex.
    there.asleep.store(false, std::memory_order_relaxed);
    // Subtracted by the waker, not the sleeper: the next reader of the count must not count it.
    // [wake.uncount] relaxed, alone: only the number counts.
    counters_.fetch_sub(Counters::one_sleeping, std::memory_order_relaxed);
    if constexpr (traced_policy<P>) P::trace::woke(this, worker);  // before that worker is awake
  }
  there.wake.notify_one();
  return true;
}

template <class P, class Counters>
void worker_sleep<P, Counters>::wake_any(std::uint32_t count) {
  for (std::uint32_t worker = 0; count != 0 && worker < workers_; ++worker) {
    // [wake_any] relaxed, with [asleep.raise]: a worker in a count that the caller has acquired is
    // observed asleep here.
    if (places_[worker].asleep.load(std::memory_order_relaxed) && wake(worker)) --count;
  }
}

template <class P, class Counters>
void worker_sleep<P, Counters>::stop() {
  // [stop] release, with [stopping], [last_look.stop]: publishes everything before stop().
  stopping_.store(true, std::memory_order_release);
  // Not wake_any(): each mutex must be acquired, so that a worker about to block reads the flag.
  for (std::uint32_t worker = 0; worker < workers_; ++worker) wake(worker);
}

template <class P, class Counters>
std::uint32_t worker_sleep<P, Counters>::checked(std::uint32_t workers) {
  if (workers == 0) {
    detail::raise<std::invalid_argument>("worker_sleep: no workers; there must be at least one");
  }
  if (workers > most_workers) {
    detail::raise<std::length_error>(
        "worker_sleep: " + std::to_string(workers) + " workers are too many; at most " +
        std::to_string(most_workers) + " can be counted, use several pools");
  }
  return workers;
}

}  // namespace fencepost
