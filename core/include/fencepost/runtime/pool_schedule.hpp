// Coroutines that continue on a worker of a thread_pool. Comes with thread_pool.hpp.
//
//   co_await pool.schedule();     what follows runs on a worker of this pool
//   co_await strand.schedule();   or as a task of a strand (strand.hpp)
//
// The job that resumes the coroutine lies in its frame: nothing is allocated. It is submitted like
// those of post(): from outside it goes to the queue, on a worker of the pool to that worker's
// deque. A coroutine that is on a worker already is submitted too, so that other jobs have a turn.
//
// Everything sequenced before the co_await happens before what follows it. The coroutine may end,
// and its frame be destroyed, before the thread that has suspended it has returned from that.
//
// If the pool refuses the job, the co_await throws, on the thread that it was called on:
// pool_stopped, std::bad_alloc, std::logic_error in a child of fork(). An exception that leaves the
// coroutine itself, because its promise lets it pass, ends the program.
//
// Threads: any. Before it ends, the pool runs what it has accepted: a coroutine that is suspended
// here continues, and must not outlive the pool if it uses the pool again.
// Claims (thread_pool/…): job_may_die_when_it_runs.
// Progress and costs: as post(), without the allocation.
//
// This header is empty where there are no coroutines (__cpp_lib_coroutine).
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>

#include "fencepost/attributes.hpp"
#include "fencepost/runtime/pool_core.hpp"

namespace fencepost {

// Waits in the frame of the coroutine, and resumes it. To: a pool, or a strand.
template <class To, class P>
class pool_schedule_awaiter final : public pool_job<P> {
 public:
  explicit pool_schedule_awaiter(To& to) noexcept : pool_job<P>{&run_it}, to_{to} {}

  bool await_ready() const noexcept { return false; }
  // Once this is handed over, it may be destroyed. Not inlined: clang before 17 may put local
  // variables of this function into the coroutine's frame.
  FENCEPOST_NOINLINE void await_suspend(std::coroutine_handle<> suspended) {
    suspended_ = suspended;
    to_.give(*this);
  }
  void await_resume() const noexcept {}

 private:
  static void run_it(pool_job<P>& job) noexcept {
    static_cast<pool_schedule_awaiter&>(job).suspended_.resume();
  }

  To& to_;  // unwatched: never changed
  // unwatched: written before the job is handed over, and read by the thread that has obtained it.
  std::coroutine_handle<> suspended_;
};

// What schedule() returns. A value, so that a task type may take it by value, wrap it and pass it
// on before it is awaited; nothing happens before that.
template <class To, class P>
class [[nodiscard]] pool_schedule {
 public:
  explicit pool_schedule(To& to) noexcept : to_{&to} {}
  pool_schedule_awaiter<To, P> operator co_await() const noexcept {
    return pool_schedule_awaiter<To, P>{*to_};
  }

 private:
  To* to_;  // unwatched: a value, which the coroutine that awaits it has
};

}  // namespace fencepost
#endif
