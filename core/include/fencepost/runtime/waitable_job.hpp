// A job that can be waited for, and followed: the part that does not depend on its callable.
//
// The job's state registers its waiter or its follower, of which there is at most one:
//
//                         the job ends
//   nobody --------------------------------------> done
//      |  wait(), outside       the job ends
//      +-------------> outside ------------------> done   and futex_wake()
//      |  time-out        |
//      |<-----------------+
//      |  wait(), on worker i   the job ends
//      +-------------> worker i -----------------> done   and its latch is set
//      |  time-out        |
//      |<-----------------+
//      |  follow()              the job ends
//      +-------------> followed -----------------> done   and the follower is called
//
// The record has two owners, the pool until the job has run, and the handle (pool_future.hpp).
//
// Threads: the thread that has the handle, which may be any: wait(), wait_until(), follow(). The
// thread that runs the job: set_done(), once. Each owner: release(), once. Any thread: done().
//
// Claims (thread_pool/…):
//   the job happens before the return of wait()       outside_waits, worker_waits
//   ... and before its follower is called, once       follower_comes_after_the_job
//   ... which may be destroyed then                   follower_may_die_when_it_comes
//   a wait that has timed out leaves nothing behind   timed_out_wait_is_repeated,
//                                                     timed_out_wait_is_followed
//   ... on a worker                                   timed_out_worker_waits_again,
//                                                     timed_out_worker_follows
//   a worker that waits for a time is woken for jobs  waiter_with_a_deadline_gets_work
//   the record dies with its second owner             nobody_waits
//
// Progress: done() and follow() are wait-free, set_done() too, apart from the waking and the
// follower; wait() and wait_until() block. Costs: set_done() and release(), a locked instruction
// each.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/fork_guard.hpp"
#include "fencepost/runtime/pool_core.hpp"

namespace fencepost {

// What follows a job: the thread that has run the job calls it. The job happens before the call.
class job_follower {
 public:
  // Returns the next follower, if this one has ended a job that no thread runs; null for none.
  using action = job_follower* (*)(job_follower&) noexcept;
  explicit job_follower(action how) noexcept : come_{how} {}
  job_follower(const job_follower&) = delete;
  job_follower& operator=(const job_follower&) = delete;
  // Calls `next` and those after it in a loop, not recursively: a chain of jobs that end each other
  // may be too long for a stack.
  static void come_all(job_follower* next) noexcept {
    while (next != nullptr) next = next->come_(*next);
  }
  void come() noexcept { come_all(this); }

 protected:
  ~job_follower() = default;

 private:
  const action come_;  // unwatched: written before the follower is handed over
};

template <class P>
class waitable_job : public pool_job<P> {
 public:
  using worker = typename pool_core<P>::worker;

  bool done() const noexcept { return state() == done_state; }
  // Returns once the job is done. `me`: the calling worker, null for any other thread. Throws
  // std::logic_error if it is waited for or followed already, and in a child of fork() if the job
  // was not done before.
  void wait(worker* me) { static_cast<void>(wait_until(me, never_due{})); }
  // The same, until the deadline at the latest: false if that has passed and the job was not done.
  template <class Until>
  [[nodiscard]] bool wait_until(worker* me, Until until);
  // True if `next` is called once the job is done, perhaps before this returns. False if the job is
  // done, and happens before the return; `next` is not called. Throws as wait() does.
  [[nodiscard]] bool follow(job_follower& next);
  pool_core<P>* pool() const noexcept { return pool_.get(); }
  // The pool or the handle gives up its ownership; the last of the two destroys the job.
  void release() noexcept {
    // [release] acq_rel, with [release]: the last owner observes everything the other did.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_.get()(*this);
  }

 protected:
  using destroyer = void (*)(waitable_job&) noexcept;
  // `pool`: its workers may wait for the job, and run other jobs meanwhile; null: none may.
  waitable_job(pool_core<P>* pool, typename pool_job<P>::action how, destroyer destroy) noexcept
      : pool_job<P>{how}, pool_{pool}, destroy_{destroy} {}
  ~waitable_job() = default;

  // Marks the job as done, and wakes the waiter or calls the follower.
  void set_done() noexcept { job_follower::come_all(end()); }
  // The same, but leaves it to the caller to call the follower.
  [[nodiscard]] job_follower* end() noexcept;

 private:
  static constexpr std::uint32_t nobody_state = 0, done_state = 1, outside_state = 2,
                                 followed_state = 3,
                                 worker_state = 4;  // plus its index

  // [look] acquire, with [done]: everything the job did is visible.
  std::uint32_t state() const noexcept { return state_.load(std::memory_order_acquire); }
  bool enter(std::uint32_t mine);
  bool withdraw(std::uint32_t mine) noexcept;

  typename P::template atomic<std::uint32_t> state_{nobody_state};  // the futex
  typename P::template atomic<std::uint32_t> references_{2};
  core_latch<P> latch_;
  typename P::template plain<job_follower*> follower_{nullptr};
  const typename P::template plain<pool_core<P>*> pool_;  // must not be used once the job is done
  const typename P::template plain<destroyer> destroy_;
  [[no_unique_address]] const fork_guard_for<P> guard_{};  // unwatched: never changed
};

// Changes the state from nobody's to the caller's. False if the job is done.
template <class P>
bool waitable_job<P>::enter(std::uint32_t mine) {
  if (guard_.in_child()) [[unlikely]] {
    detail::raise<std::logic_error>(
        "pool_future: this process was forked from the one whose pool has the job, which would "
        "never be done here; wait in the parent");
  }
  std::uint32_t seen = nobody_state;
  // [enter] acq_rel, acquire on failure, with [done]: publishes the follower; if it fails because
  // the job is done, what the job did is visible. kept acquire: success needs none, but some
  // compilers and tools require the order for success to be no weaker than that for failure.
  if (state_.compare_exchange_strong(seen, mine, std::memory_order_acq_rel,
                                     std::memory_order_acquire)) {
    return true;
  }
  if (seen == done_state) return false;
  detail::raise<std::logic_error>(
      "pool_future: two threads wait for one job, or want to follow it; let one of them do it, and "
      "tell the other");
}

// Changes the state back to nobody's. False if the job is done.
template <class P>
bool waitable_job<P>::withdraw(std::uint32_t mine) noexcept {
  // [withdraw] relaxed, relaxed on failure, alone: either it comes before the exchange at the end
  // of the job, which then finds nobody, or it fails, and [look] observes the end. Strong: a
  // failure must mean that the job is done.
  return state_.compare_exchange_strong(mine, nobody_state, std::memory_order_relaxed,
                                        std::memory_order_relaxed);
}

template <class P>
template <class Until>
bool waitable_job<P>::wait_until(worker* me, Until until) {
  if (done()) return true;
  if (me != nullptr && &me->pool() != pool()) me = nullptr;
  const std::uint32_t mine = me != nullptr ? worker_state + me->index() : outside_state;
  if (!enter(mine)) return true;
  if (me != nullptr) {
    pool()->wait_until(*me, latch_, until);
  } else {
    while (!done() && P::futex_wait(state_, mine, until)) continue;
  }
  return done() || (!withdraw(mine) && done());
}

template <class P>
bool waitable_job<P>::follow(job_follower& next) {
  if (done()) return false;
  follower_.set(&next);
  return enter(followed_state);
}

template <class P>
job_follower* waitable_job<P>::end() noexcept {
  // [done] acq_rel, with [look], [enter]: the waiter, or the follower, observes everything the job
  // did; and this thread observes the follower.
  const std::uint32_t waiter = state_.exchange(done_state, std::memory_order_acq_rel);
  if (waiter == outside_state) {
    P::futex_wake(state_, 1);
  } else if (waiter == followed_state) {
    return follower_.get();
  } else if (waiter >= worker_state) {
    pool()->sleep().set_latch(latch_, waiter - worker_state);
  }
  return nullptr;
}

}  // namespace fencepost
