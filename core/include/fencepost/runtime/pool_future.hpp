// The handle that thread_pool::submit() returns, to wait for the result of a job.
//
//   pool_future<int> sum = pool.submit([] { return add(); });
//   pool_future<void> shown = std::move(sum).then(pool, [](int n) { show(n); });
//   auto [a, b] = when_all(std::move(first), std::move(second)).get();             when_all.hpp
//   if (sum.wait_for(10ms) == std::future_status::timeout) …
//   const int n = co_await pool.submit([] { return count(); });
//
// The record of the job (waitable_job.hpp) holds the callable, then its result or its exception,
// and has two owners: the pool, until the job has run, and the handle.
//
// A worker of the same pool that waits runs other jobs meanwhile, on top of its stack. So a job
// must not wait for one that, in turn, waits for it; and the jobs that it runs meanwhile must not
// need anything that it holds while it waits (a lock). A worker of another pool sleeps: jobs of two
// pools that wait for each other may occupy all workers, and then wait for ever; then() and
// co_await occupy none.
//
// Threads: one thread at a time, any; the handle is movable. It may outlive the pool.
// Progress: ready() is wait-free; wait() blocks, wait_for() and wait_until() for a time. Costs: one
// allocation per job; wait(), a load if the job is done.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <version>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/due_after.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/task_outcome.hpp"
#include "fencepost/runtime/waitable_job.hpp"

namespace fencepost {

template <class P>
class basic_thread_pool;
template <class R, class P>
class pool_await;
namespace detail {
struct pool_future_access;
// What a callable returns that is called with a result R, or without one.
template <class F, class R>
struct result_after : std::invoke_result<F, R> {};
template <class F>
struct result_after<F, void> : std::invoke_result<F> {};
}  // namespace detail

// A job with room for its result.
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

// A result_job with its callable.
template <class F, class R, class P>
class submitted_job final : public result_job<R, P> {
 public:
  template <class G>
  submitted_job(pool_core<P>& pool, G&& f) : result_job<R, P>{&pool, &run_it, &destroy_it} {
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

  // Whether there is a job: false when default-constructed, moved from, or after get().
  bool valid() const noexcept { return job_ != nullptr; }
  // Whether get() would return, or throw, at once. If true, the job happens before the return.
  bool ready() const { return checked("ready").done(); }
  // Returns once the job is done, with a result or an exception. A worker of the pool runs other
  // jobs meanwhile. The job happens before the return. Throws std::logic_error if another thread
  // waits at the same time, and in a child of fork() if the job was not done before.
  void wait() const;
  // The same, but for `span`, or until `until`, at the latest. Returns std::future_status::ready,
  // and the job happens before the return; or timeout. A job that a worker runs meanwhile may take
  // longer. Any duration; for a clock other than the steady one, the time is checked again when it
  // should have come. Throws as wait() does, and what reading the clock throws.
  template <class Rep, class Period>
  std::future_status wait_for(std::chrono::duration<Rep, Period> span) const;
  template <class Clock, class Duration>
  std::future_status wait_until(const std::chrono::time_point<Clock, Duration>& until) const;
  // Waits, as wait() does, then returns the result or rethrows the job's exception. Leaves no job.
  R get();

  // Returns the handle to a job of `pool` (pool_then.hpp) that calls f with this job's result, or
  // without arguments if it has none, once this job is done; this job happens before. The handle
  // receives the result of f, or its exception; if this job ended by an exception, f is not called,
  // and the handle receives that exception. It receives pool_stopped if `pool` refuses the job when
  // its turn comes. Leaves no job. Throws what wait() and submit() of `pool` throw, and leaves this
  // job then.
  template <class F>
  pool_future<typename detail::result_after<std::decay_t<F>, R>::type, P> then(
      basic_thread_pool<P>& pool, F&& f) &&;
  template <class F>
  void then(basic_thread_pool<P>& pool, F&& f) & = delete;  // std::move(handle).then(…)

#if defined(__cpp_lib_coroutine)
  // co_await of a handle does what get() does, and no thread waits: pool_await.hpp. Leaves no job.
  pool_await<R, P> operator co_await() && noexcept { return pool_await<R, P>{std::move(*this)}; }
  void operator co_await() & = delete;  // co_await std::move(handle)
#endif

  void swap(pool_future& other) noexcept { std::swap(job_, other.job_); }

 private:
  template <class>
  friend class basic_thread_pool;
  friend struct detail::pool_future_access;
  explicit pool_future(result_job<R, P>& job) noexcept : job_{&job} {}

  static std::future_status status(bool is_done) noexcept {
    return is_done ? std::future_status::ready : std::future_status::timeout;
  }
  result_job<R, P>& checked(const char* what) const {
    if (job_ != nullptr) return *job_;
    detail::raise<std::logic_error>(std::string{"pool_future: "} + what +
                                    "() without a job: it was default-constructed, moved from, or "
                                    "its result was taken by get() already; check valid() first");
  }

  result_job<R, P>* job_ = nullptr;  // unwatched: used by the thread that has the handle
};

template <class R, class P>
void pool_future<R, P>::wait() const {
  checked("wait").wait(pool_core<P>::current);
}

template <class R, class P>
template <class Rep, class Period>
std::future_status pool_future<R, P>::wait_for(std::chrono::duration<Rep, Period> span) const {
  result_job<R, P>& job = checked("wait_for");
  if (!(span > span.zero())) return status(job.done());
  return status(job.wait_until(pool_core<P>::current, due_after(deadline::clock::now(), span)));
}

template <class R, class P>
template <class Clock, class Duration>
std::future_status pool_future<R, P>::wait_until(
    const std::chrono::time_point<Clock, Duration>& until) const {
  result_job<R, P>& job = checked("wait_until");
  for (auto now = Clock::now(); now < until; now = Clock::now()) {
    const deadline due = due_after(deadline::clock::now(), until - now);
    if (job.wait_until(pool_core<P>::current, due)) return std::future_status::ready;
  }
  return status(job.done());
}

template <class R, class P>
R pool_future<R, P>::get() {
  checked("get").wait(pool_core<P>::current);
  const pool_future taken{std::move(*this)};
  return taken.job_->take();
}

// For functions that make handles from handles.
struct detail::pool_future_access {
  template <class R, class P>
  static pool_future<R, P> handle_to(result_job<R, P>& job) noexcept {
    return pool_future<R, P>{job};
  }
  template <class R, class P>
  static result_job<R, P>& job_of(const pool_future<R, P>& handle, const char* what) {
    return handle.checked(what);
  }
};

}  // namespace fencepost
