// The handle that thread_pool::submit() returns, to wait for the result of a job.
//
// The record of the job holds the callable, then its result or its exception, and has two owners:
// the pool, until the job has run, and the handle. A waiter registers itself in its state:
//
//                    run                     no waiter
//   nobody ----------------------------> done
//      |  wait(), outside       run
//      +------------> outside ---------> done   and futex_wake()
//      |  wait(), on worker i   run
//      +------------> worker i --------> done   and its latch is set
//
// A worker of the same pool that waits runs other jobs meanwhile, on top of its stack. So a job
// must not wait for one that, in turn, waits for it; and the jobs that it runs meanwhile must not
// need anything that it holds while it waits (a lock).
//
// Threads: one thread at a time, any; the handle is movable. It may outlive the pool.
// Progress: ready() is wait-free; wait() blocks. Costs: one allocation per job; wait(), a load if
// the job is done.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/fork_guard.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/task_outcome.hpp"

namespace fencepost {

// A job with a handle: the part that does not depend on the callable.
template <class P>
class waitable_job : public pool_job<P> {
 public:
  using worker = typename pool_core<P>::worker;

  bool done() const noexcept { return state() == done_state; }
  // Returns once the job is done. `me`: the calling worker, null for any other thread.
  void wait(worker* me);
  // The pool or the handle gives it up; the last of the two destroys it.
  void release() noexcept {
    // [release] acq_rel, with [release]: the last owner observes everything the other did.
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy_.get()(*this);
  }

 protected:
  using destroyer = void (*)(waitable_job&) noexcept;
  waitable_job(pool_core<P>& pool, typename pool_job<P>::action how, destroyer destroy) noexcept
      : pool_job<P>{how}, pool_{&pool}, destroy_{destroy} {}
  ~waitable_job() = default;

  void set_done() noexcept;

 private:
  static constexpr std::uint32_t nobody_state = 0, done_state = 1, outside_state = 2,
                                 worker_state = 3;  // and its index

  // [look] acquire, with [done]: everything the job did is visible.
  std::uint32_t state() const noexcept { return state_.load(std::memory_order_acquire); }

  typename P::template atomic<std::uint32_t> state_{nobody_state};  // the futex
  typename P::template atomic<std::uint32_t> references_{2};
  core_latch<P> latch_;
  const typename P::template plain<pool_core<P>*> pool_;  // not to be used when it is done
  const typename P::template plain<destroyer> destroy_;
  [[no_unique_address]] const fork_guard_for<P> guard_{};  // unwatched: never changed
};

template <class P>
void waitable_job<P>::wait(worker* me) {
  if (done()) return;
  if (guard_.in_child()) [[unlikely]] {
    detail::raise<std::logic_error>(
        "pool_future: this process is a child, by fork(), of the one whose pool has the job, and "
        "it would never be done here; wait in the parent");
  }
  if (me != nullptr && &me->pool() != pool_.get()) me = nullptr;
  const std::uint32_t mine = me != nullptr ? worker_state + me->index() : outside_state;
  std::uint32_t seen = nobody_state;
  // [wait] acquire, acquire on failure, with [done]: as in state(), for when it fails because the
  // job is done. kept acquire: on success the waiter only registers itself, but some compilers and
  // tools require the order for success to be no weaker than that for failure.
  if (!state_.compare_exchange_strong(seen, mine, std::memory_order_acquire,
                                      std::memory_order_acquire)) {
    if (seen == done_state) return;
    detail::raise<std::logic_error>(
        "pool_future: two threads wait for one job; let one of them wait, and tell the other");
  }
  if (me != nullptr) {
    pool_.get()->work_until(*me, latch_);
  } else {
    while (state() != done_state) P::futex_wait(state_, outside_state, no_deadline);
  }
}

template <class P>
void waitable_job<P>::set_done() noexcept {
  // [done] release, with [look], [wait]: the waiter observes everything the job did.
  const std::uint32_t waiter = state_.exchange(done_state, std::memory_order_release);
  if (waiter == outside_state) {
    P::futex_wake(state_, 1);
  } else if (waiter >= worker_state) {
    pool_.get()->sleep().set_latch(latch_, waiter - worker_state);
  }
}

// The same with room for a result.
template <class R, class P>
class result_job : public waitable_job<P> {
 public:
  // The waiter, once. Returns the result, or rethrows the exception.
  R take() { return outcome_.write().take(); }

 protected:
  using waitable_job<P>::waitable_job;
  ~result_job() = default;

  template <class F>
  void keep_result_of(F&& f) noexcept {
    outcome_.write().keep_of([&f]() -> R { return std::invoke(std::forward<F>(f)); });
  }

 private:
  typename P::template plain<task_outcome<R>> outcome_;
};

// And with the callable.
template <class F, class R, class P>
class submitted_job final : public result_job<R, P> {
 public:
  template <class G>
  submitted_job(pool_core<P>& pool, G&& f) : result_job<R, P>{pool, &run_it, &destroy_it} {
    callable_.write().emplace(std::forward<G>(f));
  }

 private:
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<submitted_job&>(job);
    std::optional<F>& callable = me.callable_.write();
    me.keep_result_of(std::move(*callable));
    callable.reset();  // a waiter may rely on its captures being destroyed
    me.set_done();
    me.release();
  }
  static void destroy_it(waitable_job<P>& job) noexcept {
    delete static_cast<submitted_job*>(&job);
  }
  typename P::template plain<std::optional<F>> callable_;
};

template <class R, class P = default_atomics>
class [[nodiscard]] pool_future {  // A handle to a job and its result: see above.
 public:
  pool_future() = default;
  pool_future(pool_future&& other) noexcept : job_{std::exchange(other.job_, nullptr)} {}
  pool_future& operator=(pool_future&& other) noexcept {
    pool_future{std::move(other)}.swap(*this);
    return *this;
  }
  // The job still runs; its result, or its exception, is dropped.
  ~pool_future() {
    if (job_ != nullptr) job_->release();
  }

  // Whether there is a job: not when default-constructed, moved from, or after get().
  bool valid() const noexcept { return job_ != nullptr; }
  // Whether get() would return, or throw, at once. True: the job happens before the return.
  bool ready() const { return checked("ready").done(); }
  // Returns once the job is done, with a result or an exception. A worker of the pool runs other
  // jobs meanwhile. The job happens before the return. Throws std::logic_error if another thread
  // waits at the same time, and in a child of fork() if the job was not done before.
  void wait() const;
  // The same, then returns the result or rethrows the job's exception. Leaves no job.
  R get();

  void swap(pool_future& other) noexcept { std::swap(job_, other.job_); }

 private:
  template <class>
  friend class basic_thread_pool;
  explicit pool_future(result_job<R, P>& job) noexcept : job_{&job} {}

  result_job<R, P>& checked(const char* what) const {
    if (job_ != nullptr) return *job_;
    detail::raise<std::logic_error>(
        std::string{"pool_future: "} + what +
        "() without a job: it was default-constructed, moved from, or its "
        "result was taken by get() already; valid() says so");
  }

  result_job<R, P>* job_ = nullptr;  // unwatched: of the thread that has the handle
};

template <class R, class P>
void pool_future<R, P>::wait() const {
  checked("wait").wait(pool_core<P>::current);
}

template <class R, class P>
R pool_future<R, P>::get() {
  checked("get").wait(pool_core<P>::current);
  const pool_future taken{std::move(*this)};
  return taken.job_->take();
}

}  // namespace fencepost
