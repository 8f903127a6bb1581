// How the workers of a thread pool go to sleep when there is nothing to do, and who wakes them.
//
//   idle worker: search, search, … announce itself sleepy, search once more, sleep
//   who posts:   make the job findable, fence, read the counters, wake whom it takes
//
// The protocol knows nothing of queues. A worker searches on its own; between two searches it calls
// no_work_found(), which lets a number of rounds pass, announces the worker, and at last blocks it.
// What it is passed for a last look must say whether there is injected work.
// docs/components/worker_sleep.md has each side's steps and why no wake-up is lost.
//
// Who may call: a worker, for itself: start_looking(), no_work_found(), work_found(); each worker
// has a number of its own. Any thread: the rest. Construction and destruction come before and
// after all; a call that has not returned counts.
//
// Claims (worker_sleep/…):
//   a job posted by new_jobs() is found by a worker that looks, or that it wakes
//                          posted_job_is_found, two_posters, two_sleepers, counter_is_odd
//   ... in the kit's injector                                    with_injector
//   ... where the last look leaves it out                        internal_job_is_found
//   ... when the worker that was counted on leaves               left_to_another
//   ... when the jobs event counter wraps around, if the last
//       look sees it; the limit: counter_wraps_unseen            counter_wraps
//   a job posted by new_jobs_unfenced() is found by a worker
//       whose announcement no other post has followed            first_unfenced_job,
//                                                                woken_for_nothing
//   ... by its owner, if no one else; the limit:
//       unfenced_job_missed                                      unfenced_job_popped
//   a latch that is set wakes the worker that waits for it       latch_wakes, latch_among_jobs
//   stopping strands nobody                                      stop_strands_nobody,
//                                                                poster_and_stopper
//   the counters are exact when all is quiet                     (all)
//
// Limits: at most 65,535 workers. The jobs event counter has 32 bits: should exactly a multiple of
// 2^32 events come between a worker's announcement and its registration, it does not see that there
// were any. The last look still sees injected jobs; an internal one can then be overlooked.
//
// Progress: posting is lock-free while nobody sleeps, and takes a sleeper's mutex otherwise, which
// is held for a few instructions and the last look. Costs: new_jobs(), a fence and a load while
// nobody sleeps and no worker has announced itself since the last post, one locked instruction more
// if one has; new_jobs_unfenced(), the same without the fence. Allocates once: a cache line or two
// a worker.
// Source: Blitz's thread pool (BLITZ-04 to 48), repaired; its model is Rayon's.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/sleep_counters.hpp"

namespace fencepost {

struct sleep_options {                       // How long idle workers look before they sleep.
  std::uint32_t rounds_until_sleepy = 32;    // searches in vain before a worker announces itself
  std::uint32_t rounds_until_sleeping = 33;  // and before it blocks: at least one more
  std::uint32_t wake_in_its_place = 2;       // sleepers to wake when a worker finds work; not 0
};

enum class idle_result : std::uint8_t {
  look_again,  // a round has passed: yield the processor if you like, and search
  look_now,    // the worker has slept, or was about to: there may be work
};

template <class P = default_atomics, class Counters = sleep_counters>
class worker_sleep {  // The protocol; see above.
 public:
  static constexpr std::uint32_t most_workers = sleep_counters::most_workers;

  // A worker that is looking for work; unwatched: its own.
  class idle_worker {
    friend class worker_sleep;
    explicit idle_worker(std::uint32_t worker) noexcept : worker_(worker) {}
    std::uint32_t worker_;
    std::uint32_t rounds_ = 0;
    std::uint32_t jobs_ = 0;  // the jobs event counter when it announced itself
  };

  // For `workers` workers, numbered from 0. Throws std::invalid_argument for none and for options
  // that make no sense, std::length_error for more than most_workers, and std::bad_alloc.
  explicit worker_sleep(std::uint32_t workers, const sleep_options& options = {})
      : options_{checked(options)},
        workers_{checked(workers)},
        places_{std::make_unique<place[]>(workers)} {}

  worker_sleep(const worker_sleep&) = delete;
  worker_sleep& operator=(const worker_sleep&) = delete;

  // Worker, when its first search was in vain. It is idle until it calls work_found().
  [[nodiscard]] idle_worker start_looking(std::uint32_t worker) noexcept;
  // Worker, after each search in vain: passes a round, or sleeps until it is woken or `latch`,
  // which it waits for, is set. `has_injected` is called without arguments right before it would
  // block, under its mutex; it must not throw, and must not call this object.
  // Every search that begins after this has returned sees the jobs for which it was woken.
  template <class HasInjected>
  idle_result no_work_found(idle_worker& idle, core_latch<P>& latch, HasInjected&& has_injected);
  // Worker: it is no longer looking, for whatever reason. Wakes others in its place, and so comes
  // before the work is done.
  void work_found();

  // Any thread. `jobs` jobs have been made findable; `queue_was_empty`: before that there were
  // none where they are, as far as the caller knows. No worker sleeps on, or goes to sleep, while
  // the jobs are there and too few are looking.
  void new_jobs(std::uint32_t jobs, bool queue_was_empty);
  // The same for jobs that the caller itself looks for before it waits or ends, such as those of a
  // fork-join: without a fence, a worker that announces itself at this moment may overlook them.
  void new_jobs_unfenced(std::uint32_t jobs, bool queue_was_empty);

  // Any thread. Sets a latch that `worker` waits for, and wakes it if it sleeps. The latch may be
  // gone when this returns.
  void set_latch(core_latch<P>& latch, std::uint32_t worker);
  // Any thread. Wakes this worker, if it sleeps; false if it does not.
  bool wake(std::uint32_t worker);
  // Any thread. Wakes `count` workers, or as many as it finds asleep; one that fell asleep without
  // the caller's having acquired anything from it since may be overlooked.
  void wake_any(std::uint32_t count);

  // Any thread. From now on no worker sleeps; those that do are woken. For any threads X and Y,
  // what X did before stop() is visible to Y after stopping() has returned true.
  void stop();
  // [stopping] acquire, with [stop]: what came before it.
  bool stopping() const noexcept { return stopping_.load(std::memory_order_acquire); }

  std::uint32_t workers() const noexcept { return workers_; }
  // What the counters are, or have been.
  // [counters] relaxed, alone: orders nothing.
  Counters counters() const noexcept { return {{counters_.load(std::memory_order_relaxed)}}; }

 private:
  static constexpr std::size_t cache_line = 64;

  // Where a worker sleeps.
  struct alignas(cache_line) place {
    typename P::mutex mutex;
    typename P::condition_variable wake;
    // Changes under the mutex; without it, a hint. True before the worker is counted as sleeping.
    typename P::template atomic<bool> asleep{false};
  };

  static Counters as_counters(std::uint64_t word) noexcept { return {{word}}; }

  static std::uint32_t checked(std::uint32_t workers);
  static const sleep_options& checked(const sleep_options& options);

  FENCEPOST_NOINLINE void post(Counters seen, std::uint32_t jobs, bool queue_was_empty);
  std::uint32_t announce_sleepy() noexcept;
  bool register_asleep(std::uint32_t jobs) noexcept;
  template <class HasInjected>
  void fall_asleep(idle_worker& idle, core_latch<P>& latch, HasInjected& has_injected);

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
  // [start_looking] relaxed, alone: who posts and sees this counts on a worker that has still to
  // announce itself, and its announcement comes later in the order of the word.
  counters_.fetch_add(Counters::one_inactive, std::memory_order_relaxed);
  return idle_worker{worker};
}

template <class P, class Counters>
template <class HasInjected>
idle_result worker_sleep<P, Counters>::no_work_found(idle_worker& idle, core_latch<P>& latch,
                                                     HasInjected&& has_injected) {
  static_assert(std::is_nothrow_invocable_r_v<bool, HasInjected&>,
                "the last look for injected work must be noexcept: a worker is already registered "
                "as sleeping when it is called");
  if (idle.rounds_ >= options_.rounds_until_sleeping) {
    fall_asleep(idle, latch, has_injected);
    return idle_result::look_now;
  }
  if (idle.rounds_ == options_.rounds_until_sleepy) idle.jobs_ = announce_sleepy();
  ++idle.rounds_;
  return idle_result::look_again;
}

// Makes the jobs event counter even; what it is then.
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
  // [announce.fence] seq_cst, with [new_jobs.fence], [post]: store buffering: either who posts
  // finds this announcement in the word, or the search that follows finds the job. As an acquire
  // fence: who read the counter that post() made odd finds its job.
  P::fence(std::memory_order_seq_cst);
  return next.jobs();
}

// Counts this worker as sleeping, unless there was a post since it announced itself.
template <class P, class Counters>
bool worker_sleep<P, Counters>::register_asleep(std::uint32_t jobs) noexcept {
  // [register.look] relaxed, alone: only the word is looked at.
  Counters seen = as_counters(counters_.load(std::memory_order_relaxed));
  while (seen.jobs() == jobs) {
    // [register] release, relaxed on failure, with [new_jobs.look], [post], [work_found]: who sees
    // the count sees `asleep`. Relaxed on failure: only the word is looked at.
    if (counters_.compare_exchange_weak(seen.word, seen.one_more_asleep().word,
                                        std::memory_order_release, std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

template <class P, class Counters>
template <class HasInjected>
void worker_sleep<P, Counters>::fall_asleep(idle_worker& idle, core_latch<P>& latch,
                                            HasInjected& has_injected) {
  if (!latch.get_sleepy()) return;
  place& here = places_[idle.worker_];
  std::unique_lock<typename P::mutex> lock{here.mutex};
  idle.rounds_ = 0;
  if (!latch.fall_asleep()) return;
  // [asleep.raise] relaxed, with [wake_any]: published by the release in register_asleep().
  here.asleep.store(true, std::memory_order_relaxed);
  if (!register_asleep(idle.jobs_)) {
    // [asleep.lower] relaxed, alone: under the mutex.
    here.asleep.store(false, std::memory_order_relaxed);
    idle.rounds_ = options_.rounds_until_sleepy;
  } else {
    // [last_look.fence] seq_cst, with [new_jobs.fence]: store buffering: either who posts finds
    // this worker among the sleeping, or the last look finds the job. While the counter does not
    // wrap around, the announcement's fence does the same. kept seq_cst: when the counter wraps,
    // acquire and release are enough as long as each worker that announces itself meanwhile
    // searches everywhere, and this wants to depend on no other's search; a system call follows.
    P::fence(std::memory_order_seq_cst);
    // [last_look.stop] relaxed, with [stop]: stop() takes the mutex after it has set the flag. If
    // that was before, it is seen here; if not, this worker is found blocked.
    if (stopping_.load(std::memory_order_relaxed) || has_injected()) {
      // [last_look.lower] relaxed, alone: under the mutex.
      here.asleep.store(false, std::memory_order_relaxed);
      // [last_look.uncount] relaxed, alone: the number is all there is to it; nobody else will.
      counters_.fetch_sub(Counters::one_sleeping, std::memory_order_relaxed);
    } else {
      // [blocked] relaxed, alone: under the mutex.
      while (here.asleep.load(std::memory_order_relaxed)) here.wake.wait(lock);
    }
  }
  latch.wake_up();
}

template <class P, class Counters>
void worker_sleep<P, Counters>::work_found() {
  // [work_found] acquire, with [register]: who is in the count is seen asleep.
  const Counters before =
      as_counters(counters_.fetch_sub(Counters::one_inactive, std::memory_order_acquire));
  if (before.sleeping() == 0) return;
  wake_any(before.to_wake_in_its_place(options_.wake_in_its_place));
}

template <class P, class Counters>
inline void worker_sleep<P, Counters>::new_jobs(std::uint32_t jobs, bool queue_was_empty) {
  // [new_jobs.fence] seq_cst, with [announce.fence], [last_look.fence]: store buffering: between
  // making the jobs findable and the look at the counters.
  P::fence(std::memory_order_seq_cst);
  new_jobs_unfenced(jobs, queue_was_empty);
}

template <class P, class Counters>
inline void worker_sleep<P, Counters>::new_jobs_unfenced(std::uint32_t jobs, bool queue_was_empty) {
  // [new_jobs.look] acquire, with [register], [announce]: who is in the count is seen asleep.
  const Counters seen = as_counters(counters_.load(std::memory_order_acquire));
  if (seen.sleepy() || seen.sleeping() != 0) [[unlikely]] {
    post(seen, jobs, queue_was_empty);
  }
}

// Makes the jobs event counter odd, and wakes whom it takes.
template <class P, class Counters>
void worker_sleep<P, Counters>::post(Counters seen, std::uint32_t jobs, bool queue_was_empty) {
  while (seen.sleepy()) {
    // [post] acq_rel, acquire on failure, with [register], [announce.look], [announce],
    // [announce.fence]: acquire, each: who is in the count is seen asleep. Release: who announces
    // itself later finds the job, by way of all exchanges that follow.
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

// Whoever takes the mutex after a worker has committed itself finds it asleep, or awake again.
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
    // The waker, not the sleeper: who reads the count next does not take this one for asleep.
    // [wake.uncount] relaxed, alone: the number is all there is to it.
    counters_.fetch_sub(Counters::one_sleeping, std::memory_order_relaxed);
  }
  there.wake.notify_one();
  return true;
}

template <class P, class Counters>
void worker_sleep<P, Counters>::wake_any(std::uint32_t count) {
  for (std::uint32_t worker = 0; count != 0 && worker < workers_; ++worker) {
    // [wake_any] relaxed, with [asleep.raise]: a worker in a count that the caller has acquired is
    // seen asleep here.
    if (places_[worker].asleep.load(std::memory_order_relaxed) && wake(worker)) --count;
  }
}

template <class P, class Counters>
void worker_sleep<P, Counters>::stop() {
  // [stop] release, with [stopping], [last_look.stop]: what came before it is seen.
  stopping_.store(true, std::memory_order_release);
  // Not wake_any(): each mutex must be taken, so that who is about to block sees the flag.
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

template <class P, class Counters>
const sleep_options& worker_sleep<P, Counters>::checked(const sleep_options& options) {
  if (options.rounds_until_sleeping <= options.rounds_until_sleepy) {
    detail::raise<std::invalid_argument>(
        "worker_sleep: rounds_until_sleeping is " + std::to_string(options.rounds_until_sleeping) +
        ", but must be greater than rounds_until_sleepy, " +
        std::to_string(options.rounds_until_sleepy) +
        ": a worker searches at least once after it has announced itself");
  }
  if (options.wake_in_its_place == 0) {
    detail::raise<std::invalid_argument>(
        "worker_sleep: wake_in_its_place is 0, but a worker that finds work must wake another: "
        "jobs may have been left to it");
  }
  return options;
}

}  // namespace fencepost
