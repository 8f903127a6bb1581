// The scheduling loops of thread_pool: where jobs are kept, in which order a worker looks for one,
// how it waits, and how the pool closes. It starts no threads and knows no callables:
// thread_pool.hpp does, and the checker runs the same loops on threads of its own.
//
//                    push()                              inject()
//   a worker's job ---------> its deque      an external job ---------> injector
//                              |      |                                    |
//                        pop() |      | steal()                      pop() |
//   a worker:     1. its own, newest  2. another's, oldest     3. injected, oldest first
//
// Jobs that submit others keep a worker at its own newest jobs for as long as they do. So after
// `out_of_turn` jobs it takes one out of turn: an injected one, another worker's, or its own
// oldest, where each of the three is the first to be tried in every third such turn. A worker that
// waits for a job takes one as well, on top of its stack, but not while such a job is on its stack
// already: otherwise the stack would grow with the number of jobs.
//
// A worker that has found nothing is idle: it searches again, round after round, announces itself,
// searches once more, and sleeps (sync/worker_sleep.hpp). When it then finds work, it wakes others
// in its place before it runs the job: they need not wait for it. A worker that waits until a
// deadline sleeps, and is idle, until then at most.
//
// Closing: the rundown counts the threads inside inject(). close() shuts it, waits until it is
// empty, and only then tells the workers to leave; a worker leaves when a search that it began
// after that has failed. So every accepted job runs: an injected one is visible before the workers
// are told to leave, and a pushed one is popped by the worker that pushed it, if no other takes it.
//
// Threads: each worker has a thread of its own, the only one to call functions that take the
// worker. Any thread that is no worker: inject(), close(). Construction and destruction happen
// before and after all.
//
// Claims (thread_pool/…): see thread_pool.hpp.
//
// Progress: push() and pop() are wait-free while the deque has room; inject() is lock-free while
// no worker sleeps. close() waits for threads inside inject(): a few instructions each.
// Costs: push(), a fence and a load; push_unfenced(), a load; inject(), a fence, a load and three
// locked instructions; in addition, the deque's push, and a wake where a worker sleeps.
// Source: Blitz's thread pool (BLITZ-01, 34 to 38, 46), with external jobs given to the workers
// instead of a main worker, the cascade before the job, and the rundown.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/runtime/pool_job.hpp"
#include "fencepost/runtime/random_sequence.hpp"
#include "fencepost/runtime/thread_pool_statistics.hpp"
#include "fencepost/runtime/worker_counters.hpp"
#include "fencepost/runtime/worker_trace.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/rundown.hpp"
#include "fencepost/sync/worker_sleep.hpp"

namespace fencepost {

template <class P = default_atomics>
class pool_core {
 public:
  using job = pool_job<P>;

  // The state of one worker; only its own thread accesses it, except for stealing.
  class worker {
   public:
    pool_core& pool() const noexcept { return *pool_; }
    std::uint32_t index() const noexcept { return index_; }
    worker_trace<traced_policy<P>>& trace() noexcept { return trace_; }

   private:
    friend class pool_core;
    // unwatched: this worker's own, or unchanged since before the threads were started.
    chase_lev<job*, P> jobs_;
    core_latch<P> never_set_;
    pool_core* pool_ = nullptr;
    std::uint32_t index_ = 0;
    random_sequence random_{0};
    std::uint32_t until_out_of_turn_ = 0;  // in jobs
    std::uint8_t next_source_ = 0;         // the first to be tried then
    bool above_a_wait_ = false;            // a job taken out of turn is on the stack, above a wait
    [[no_unique_address]] worker_counters<thread_pool_counts, counted_policy<P>> counters_;
    [[no_unique_address]] worker_trace<traced_policy<P>> trace_;
  };

  // The worker of this thread; set by the code that starts the threads.
  static inline constinit thread_local worker* current = nullptr;

  static constexpr std::uint32_t default_out_of_turn = 61;

  // `out_of_turn`: after so many jobs one is taken out of turn; 0: never. Throws whatever
  // worker_sleep's constructor throws, and std::bad_alloc.
  explicit pool_core(std::uint32_t workers, const sleep_options& options = {},
                     std::uint32_t out_of_turn = default_out_of_turn);
  pool_core(const pool_core&) = delete;
  pool_core& operator=(const pool_core&) = delete;

  std::uint32_t workers() const noexcept { return sleep_.workers(); }
  worker& at(std::uint32_t index) noexcept { return workers_[index]; }
  worker_sleep<P>& sleep() noexcept { return sleep_; }

  // Worker. Runs jobs until the pool is closed and there are none.
  void work(worker& me) noexcept { work_until(me, me.never_set_); }
  // Worker. Runs jobs until the latch is set, by sleep().set_latch() with this worker's index, or
  // until the deadline: a job that has begun may take longer.
  template <class Until = never_due>
  void work_until(worker& me, core_latch<P>& latch, Until until = {}) noexcept;
  // The same for a job that waits: recorded as a wait in the trace.
  template <class Until = never_due>
  void wait_until(worker& me, core_latch<P>& latch, Until until = {}) noexcept {
    [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::wait, "wait");
    work_until(me, latch, until);
  }

  // Worker. Adds a job to its deque, and wakes a sleeping worker for it. Everything before this
  // call happens before the job. Throws std::bad_alloc; then nothing has changed.
  void push(worker& me, job& added);
  // Worker. The same for a job that must run in any case: without memory it goes to the injector.
  void push_surely(worker& me, job& added) noexcept;
  // Worker. The same for a job that this worker itself looks for before it does anything else: an
  // idle worker may miss it.
  void push_unfenced(worker& me, job& added);
  // Worker. Takes its newest job that no other thread has taken; null if there is none.
  job* pop(worker& me) noexcept { return me.jobs_.pop().value_or(nullptr); }
  // Worker. Runs a job that it has obtained.
  void run(worker& me, job& obtained) noexcept {
    me.counters_.count(&thread_pool_counts::jobs);
    [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::task, "job");
    obtained.run();
  }
  // Worker. Counts a job that it has obtained and runs without run().
  void runs_itself(worker& me) noexcept { me.counters_.count(&thread_pool_counts::jobs); }

  // Any other thread. Hands a job to the workers; false, and nothing has changed, if the pool is
  // closed. Everything before this call happens before the job. A thread that learns of the job's
  // end may close and destroy the pool, even before this returns.
  [[nodiscard]] bool inject(job& added) noexcept;
  // Any other thread. The same, if asked() returns true. That is called while the pool cannot be
  // closed; if the pool is closed already, it is not called, and this returns false.
  template <class Asked>
  [[nodiscard]] bool inject_if(Asked&& asked, job& added) noexcept;
  // Any other thread. Refuses further jobs; the workers leave once they have run all.
  void close() noexcept;

  // Any thread, at any time. What was counted so far: see thread_pool_statistics.hpp. Throws
  // std::bad_alloc.
  thread_pool_statistics statistics() const requires(counted_policy<P>);

 private:
  using idle_worker = typename worker_sleep<P>::idle_worker;

  void hand_over(job& added) noexcept;
  job* find(worker& me) noexcept;
  job* find_elsewhere(worker& me) noexcept;
  job* steal_from_others(worker& me) noexcept;
  job* find_out_of_turn(worker& me) noexcept;
  bool run_out_of_turn(worker& me, bool waits) noexcept;
  job* find_injected(worker& me) noexcept;
  template <class Until>
  job* find_idly(worker& me, core_latch<P>& latch, Until until) noexcept;
  template <class Until>
  idle_result rest(worker& me, idle_worker& idle, core_latch<P>& latch, Until until) noexcept;
  static constexpr bool has_passed(never_due) noexcept { return false; }
  static bool has_passed(deadline until) noexcept { return until <= deadline::clock::now(); }

  static constexpr std::size_t cache_line = 64;

  worker_sleep<P> sleep_;
  const std::unique_ptr<worker[]> workers_;  // unwatched: never changed
  const std::uint32_t out_of_turn_;          // unwatched: never changed
  injector<job, P> injected_;
  alignas(cache_line) rundown<P> rundown_;  // of the threads inside inject()
  [[no_unique_address]] shared_counter<counted_policy<P>>
      outside_;  // on the same cache line: the jobs of these threads
};

template <class P>
pool_core<P>::pool_core(std::uint32_t workers, const sleep_options& options,
                        std::uint32_t out_of_turn)
    : sleep_{workers, options},
      workers_{std::make_unique<worker[]>(workers)},
      out_of_turn_{out_of_turn} {
  for (std::uint32_t index = 0; index < workers; ++index) {
    workers_[index].pool_ = this;
    workers_[index].index_ = index;
    workers_[index].random_ = random_sequence{index};
    workers_[index].until_out_of_turn_ = out_of_turn;
  }
}

template <class P>
template <class Until>
void pool_core<P>::work_until(worker& me, core_latch<P>& latch, Until until) noexcept {
  while (!latch.probe() && !has_passed(until)) {
    if (me.until_out_of_turn_-- == 0) [[unlikely]] {
      me.until_out_of_turn_ = out_of_turn_;
      if (out_of_turn_ != 0 && run_out_of_turn(me, &latch != &me.never_set_)) continue;
    }
    job* found = find(me);
    if (found == nullptr) found = find_idly(me, latch, until);
    if (found == nullptr) return;  // the latch is set, the pool closed, or the time is up
    run(me, *found);
  }
}

// Null if the latch is set, if the time is up, or, where the latch is this worker's own, if the
// pool is closed and has no job.
template <class P>
template <class Until>
auto pool_core<P>::find_idly(worker& me, core_latch<P>& latch, Until until) noexcept -> job* {
  auto idle = sleep_.start_looking(me.index_);
  job* found = nullptr;
  while (!latch.probe() && !has_passed(until)) {
    const idle_result rested = rest(me, idle, latch, until);
    if (rested == idle_result::time_is_up) break;
    if (rested == idle_result::look_again) P::yield();
    // Read before the search, which then observes everything injected before the pool was closed.
    const bool closed = sleep_.stopping();
    found = find(me);
    if (found != nullptr || (closed && &latch == &me.never_set_)) break;
    if (closed) P::yield();  // waits for a latch; workers no longer sleep
  }
  sleep_.work_found();  // this wakes others before the job runs
  return found;
}

// Ends a round; or, after the last round, sleeps unless the last look finds something.
template <class P>
template <class Until>
inline idle_result pool_core<P>::rest(worker& me, idle_worker& idle, core_latch<P>& latch,
                                      Until until) noexcept {
  if constexpr (counted_policy<P>) {
    bool slept = false;
    const auto last_look = [this, &me, &slept]() noexcept {
      if (!injected_.empty()) return true;
      me.counters_.count(&thread_pool_counts::parks);
      slept = true;
      return false;
    };
    const idle_result result = sleep_.no_work_found(idle, latch, last_look, until);
    me.counters_.count_if(slept, &thread_pool_counts::wakes);
    return result;
  } else {
    const auto last_look = [this]() noexcept { return !injected_.empty(); };
    return sleep_.no_work_found(idle, latch, last_look, until);
  }
}

template <class P>
inline auto pool_core<P>::find(worker& me) noexcept -> job* {
  job* const own = pop(me);
  return own != nullptr ? own : find_elsewhere(me);
}

template <class P>
auto pool_core<P>::find_elsewhere(worker& me) noexcept -> job* {
  job* const stolen = steal_from_others(me);
  return stolen != nullptr ? stolen : find_injected(me);
}

template <class P>
inline auto pool_core<P>::find_injected(worker& me) noexcept -> job* {
  job* const found = injected_.pop();
  me.counters_.count_if(found != nullptr, &thread_pool_counts::injected);
  return found;
}

template <class P>
auto pool_core<P>::steal_from_others(worker& me) noexcept -> job* {
  const std::uint32_t count = workers();
  // Search again if a theft failed because of another thread: the deque may not have been empty.
  for (bool again = count > 1; again;) {
    again = false;
    std::uint32_t victim = me.random_.below(count);
    for (std::uint32_t n = 0; n < count; ++n, victim = victim + 1 == count ? 0 : victim + 1) {
      if (victim == me.index_) continue;
      const auto theft = workers_[victim].jobs_.steal();
      if (theft.outcome == steal_outcome::stolen) {
        me.counters_.count(&thread_pool_counts::stolen);
        me.trace_.moment(trace_kind::steal, "steal", victim);
        return theft.item;
      }
      again |= theft.outcome == steal_outcome::retry;
    }
  }
  return nullptr;
}

// A source that another thread is taking from is passed over: that thread serves it.
template <class P>
auto pool_core<P>::find_out_of_turn(worker& me) noexcept -> job* {
  constexpr unsigned sources = 3;
  job* found = nullptr;
  for (unsigned n = 0; n < sources && found == nullptr; ++n) {
    switch (me.next_source_) {
      case 0:
        found = injected_.try_pop().job;
        me.counters_.count_if(found != nullptr, &thread_pool_counts::injected);
        break;
      case 1: found = steal_from_others(me); break;
      default: found = me.jobs_.steal().item; break;
    }
    me.next_source_ = static_cast<std::uint8_t>((me.next_source_ + 1) % sources);
  }
  return found;
}

template <class P>
bool pool_core<P>::run_out_of_turn(worker& me, bool waits) noexcept {
  if (waits && me.above_a_wait_) return false;
  job* const found = find_out_of_turn(me);
  if (found == nullptr) return false;
  const bool before = std::exchange(me.above_a_wait_, waits || me.above_a_wait_);
  run(me, *found);
  me.above_a_wait_ = before;
  return true;
}

template <class P>
inline void pool_core<P>::push(worker& me, job& added) {
  const bool was_empty = me.jobs_.size() == 0;
  me.jobs_.push(&added);
  me.counters_.count(&thread_pool_counts::submitted);
  sleep_.new_jobs(1, was_empty);
}

template <class P>
inline void pool_core<P>::push_unfenced(worker& me, job& added) {
  const bool was_empty = me.jobs_.size() == 0;
  me.jobs_.push(&added);
  me.counters_.count(&thread_pool_counts::submitted);
  sleep_.new_jobs_unfenced(1, was_empty);
}

template <class P>
inline void pool_core<P>::hand_over(job& added) noexcept {
  if constexpr (counted_policy<P>) outside_.count();  // before a worker can take it
  const bool was_empty = injected_.push(added);
  sleep_.new_jobs(1, was_empty);
}

template <class P>
bool pool_core<P>::inject(job& added) noexcept {
  if (!rundown_.try_enter()) return false;
  hand_over(added);
  rundown_.leave();
  return true;
}

template <class P>
template <class Asked>
bool pool_core<P>::inject_if(Asked&& asked, job& added) noexcept {
  if (!rundown_.try_enter()) return false;
  if (asked()) hand_over(added);
  rundown_.leave();
  return true;
}

// No rundown is needed: the worker itself searches the injector before it leaves.
template <class P>
void pool_core<P>::push_surely(worker& me, job& added) noexcept {
  detail::attempt([&] { push(me, added); }, [&] { hand_over(added); });
}

template <class P>
void pool_core<P>::close() noexcept {
  rundown_.close();  // stop() publishes to the workers what the threads that left have done
  sleep_.stop();
}

template <class P>
thread_pool_statistics pool_core<P>::statistics() const requires(counted_policy<P>) {
  thread_pool_statistics all;
  all.workers.reserve(workers());
  for (std::uint32_t index = 0; index < workers(); ++index) {
    const worker& each = workers_[index];
    thread_pool_counts& counts = all.workers.emplace_back(each.counters_.values());
    counts.queued = each.jobs_.length();
    all += counts;
  }
  // Read after the numbers of jobs taken: a job that was counted there is not missing here.
  all.outside.submitted = outside_.value();
  if (all.outside.submitted > all.injected) {
    all.outside.queued = all.outside.submitted - all.injected;
  }
  all += all.outside;
  return all;
}

}  // namespace fencepost
