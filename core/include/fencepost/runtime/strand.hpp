// Tasks of a thread_pool that run one after the other, in the order in which they were posted: what
// they share needs no lock. Tasks of different strands run at the same time.
//
//   strand session{pool};
//   session.post([&] { read_more(); });                        never at the same time as
//   auto sent = session.submit([&] { return send_all(); });    this, which comes after it
//   session.post(&peer::answer, &other, 42);                   with arguments, as the pool's
//   session.post(token, [&] { tidy(); });                      not if it is asked to stop before
//   co_await session.schedule();                               what follows is a task of it
//
// No thread waits for its turn: while a strand has tasks, one job of the pool runs them, a certain
// number at a time (strand_core::most_in_a_turn), and then submits itself again, so that other jobs
// of its worker run in between. The strand has no thread of its own: two tasks may run on two
// workers.
//
// A task that waits for a job blocks its strand, whatever its worker runs meanwhile: it must not
// wait for a later task of its own strand. A coroutine releases the strand at each co_await.
//
// Exceptions: as those of jobs. get() rethrows that of a submitted task, one of a posted task is
// passed to the pool's options.on_exception; the tasks after it run.
//
// The end: the handle may be destroyed at any time, by a task of the strand as well; the destructor
// does not wait, and the tasks that are left run. No thread may begin a call of the strand then;
// calls that have begun, and whose task has begun, need not have returned.
//
// Threads: any thread, tasks of the strand included, except for the destructor. The pool outlives
// all calls but the destructor, and may be stopped meanwhile: a thread outside it gets pool_stopped
// then, and tasks that were accepted run before stop() returns. In a child of fork() every call
// from outside throws std::logic_error.
//
// For any threads X, Y and Z: everything sequenced before X posts a task happens before the task,
// which Y runs; the task happens before the next one of the strand, which Z runs. If one post
// happens before another, its task runs first. Waiters observe a task as they do a job of the pool.
//
// Claims: see strand_core.hpp.
//
// Progress: post() and submit() are lock-free, apart from the allocator, while no worker sleeps.
// Costs: an allocation and a locked instruction a task; for a strand that was idle, and for each
// turn, what a job of the pool takes. A strand has 48 bytes on the heap, allocated with it.
#pragma once

#include <type_traits>
#include <utility>
#include <version>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/bound_call.hpp"
#include "fencepost/runtime/job_callable.hpp"
#include "fencepost/runtime/job_cancelled.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/pool_schedule.hpp"
#include "fencepost/runtime/pool_stopped.hpp"
#include "fencepost/runtime/strand_core.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/unless_stopped.hpp"

namespace fencepost {

template <class P = default_atomics>
class basic_strand {
  using pool = basic_thread_pool<P>;
  template <class F>
  using result_of = std::invoke_result_t<std::decay_t<F>>;

 public:
  // Throws std::bad_alloc.
  explicit basic_strand(basic_thread_pool<P>& of) : pool_{of}, turns_{new turns} {}
  ~basic_strand() {
    if (!turns_->core.end()) delete turns_;
  }
  basic_strand(const basic_strand&) = delete;
  basic_strand& operator=(const basic_strand&) = delete;

  // Each is like that of the pool: what may be called and how, with arguments and with a stop
  // token, what is thrown, and when what the task captured is destroyed.
  template <class F>
  pool_future<result_of<F>, P> submit(F&& f) {
    return pool_.submit_by(*this, std::forward<F>(f));
  }
  template <class F>
  void post(F&& f) {
    pool_.post_by(*this, std::forward<F>(f));
  }
  template <class F, class... Args>
  requires(called_with<F, Args...>) auto submit(F&& f, Args&&... args) {
    return submit(detail::job_of(std::forward<F>(f), std::forward<Args>(args)...));
  }
  template <class F, class... Args>
  requires(called_with<F, Args...>) void post(F&& f, Args&&... args) {
    post(detail::job_of(std::forward<F>(f), std::forward<Args>(args)...));
  }
#if defined(__cpp_lib_jthread)
  template <class F, class... Args>
  requires(stoppable<bound_call_of<F, Args...>>) auto submit(std::stop_token token, F&& f,
                                                             Args&&... args) {
    return submit(cancelled_if_stopped(
        std::move(token), detail::job_of(std::forward<F>(f), std::forward<Args>(args)...)));
  }
  template <class F, class... Args>
  requires(stoppable<bound_call_of<F, Args...>>) void post(std::stop_token token, F&& f,
                                                           Args&&... args) {
    post(dropped_if_stopped(std::move(token),
                            detail::job_of(std::forward<F>(f), std::forward<Args>(args)...)));
  }
#endif
#if defined(__cpp_lib_coroutine)
  // After co_await of this, a coroutine continues as a task of the strand, until it is suspended or
  // ends. The task lies in its frame, as that of pool.schedule() does.
  auto schedule() noexcept { return pool_schedule<basic_strand, P>{*this}; }
#endif

  // True if the caller is in a task of this strand, or in a job of the pool that the worker runs
  // while that task waits; false in a task of another strand that it runs then.
  //   if (s.on_strand()) f(); else s.post(f);   as dispatch() of other libraries
  bool on_strand() const noexcept { return current == turns_; }

 private:
  friend pool;
  friend class pool_schedule_awaiter<basic_strand, P>;
  // The job of the pool that runs the tasks.
  struct turns final : pool_job<P> {
    turns() noexcept : pool_job<P>{&run_it} {}
    static void run_it(pool_job<P>& job) noexcept;
    strand_core<P> core;
  };
  static inline constinit thread_local const turns* current = nullptr;  // of the running task

  void give(pool_job<P>& task);

  pool& pool_;          // unwatched: never changed
  turns* const turns_;  // unwatched: never changed
};

using strand = basic_strand<>;

template <class P>
void basic_strand<P>::turns::run_it(pool_job<P>& job) noexcept {
  auto& me = static_cast<turns&>(job);
  const turns* const outer =
      std::exchange(current, &me);  // that of a waiting task, below on the stack
  const strand_turn left = me.core.run_turn();
  current = outer;
  if (left == strand_turn::more) {
    auto& here = *pool_core<P>::current;
    here.pool().push_surely(here, me);
  } else if (left == strand_turn::ended) {
    delete &me;
  }
}

template <class P>
void basic_strand<P>::give(pool_job<P>& task) {
  if (auto* const me = pool_.here()) {
    if (turns_->core.put(task)) pool_.core_->push_surely(*me, *turns_);
    return;
  }
  pool_.check_process();
  // If put() finds other tasks, a turn has been given already, in which this one will run.
  if (!pool_.core_->inject_if([&]() noexcept { return turns_->core.put(task); }, *turns_)) {
    detail::raise<pool_stopped>();
  }
}

}  // namespace fencepost
