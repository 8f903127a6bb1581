// A pool of threads that run jobs: callables that any thread submits one at a time.
//
//   thread_pool pool;                                   one worker a processor
//   auto square = pool.submit([] { return 6 * 7; });    a handle, to wait by
//   pool.post([] { log("no one waits for this"); });
//   int answer = pool.call([] { return compute(); });   until it is done
//   pool.join([&] { left(); }, [&] { right(); });       both, perhaps at once
//   auto area = pool.submit(area_of, 6, 7);             with arguments, as std::async
//   pool.submit(token, [] { search(); });               not if it is asked to stop before it begins
//
// traced_thread_pool is the same, and records what its workers do: worker_trace.hpp;
// counted_thread_pool counts it: thread_pool_statistics.hpp.
//
// A handle's then() and when_all.hpp provide jobs that follow others, task_group.hpp groups of jobs
// that are waited for together, strand.hpp jobs that run one after the other. Coroutines:
// schedule(), and co_await of a handle (pool_schedule.hpp, pool_await.hpp).
//
// A job submitted by a job goes to the deque of its worker, which runs it next unless an idle
// worker steals it first; an external job goes to a queue that workers poll when they find nothing
// else. Now and then a worker takes a job out of turn, so that jobs that submit themselves again
// starve no other: options.out_of_turn. Workers that find nothing for a while sleep.
//
// Exceptions: get() rethrows that of a submitted job, call() that of a call, join() that of a join,
// the left one's first. An exception from a posted job is passed to options.on_exception; if that
// is not set it terminates the program, as one that leaves a std::thread does.
//
// The end: stop(), or the destructor, refuses further external jobs, runs all that were accepted
// and those that they submit, and returns once that is done. No job is dropped.
//
// Threads: any thread, jobs of the pool included, except for stop() and the destructor, which no
// worker of the pool may call. The pool may be stopped while others submit: their jobs run, or
// pool_stopped is thrown to them. It may be destroyed when no thread will begin a call; calls that
// have begun, and whose job has run, need not have returned.
// After fork() the child has no workers: there every call that needs them throws std::logic_error,
// wait() and get() of a handle included unless the job is done; only the destructor does not. If
// the fork was in a job of the pool, that job must not use the pool any more in the child.
// For any threads X, Y and Z: everything sequenced before X submits a job happens before the job,
// which Y runs; the job happens before a ready() of Z that returns true, before the end of Z's
// wait(), get(), call() or join(), returned or thrown, and before the return of Z's stop().
//
// Claims (thread_pool/…):
//   an external job runs exactly once, before its waiter returns          outside_waits
//   ... even if no thread waits                                           nobody_waits
//   ... or is refused, if the pool is stopped meanwhile                   submit_against_stop
//   jobs that a worker pushes each run exactly once before the pool ends  claim
//   what follows a job, or all of several, comes after it             follower_comes_after_the_job,
//                                                                  all_jobs_come_before_the_result
//   ... and may be destroyed when it comes, with the handle      follower_may_die_when_it_comes,
//                                                                follower_comes_after_all_jobs
//   a worker that waits for a job taken by another is woken, and
//       observes what the job did                                         worker_waits,
//                                                                         worker_submits_and_waits,
//                                                                         joined_job_may_die
//   a sleeping worker obtains work that only a busy owner has             sleeper_gets_pushed_work,
//                                                            second_sleeper_gets_pushed_work
//   a thread that learns of a job's end may destroy the pool, even if
//       its submission has not returned                                   destroyed_at_once
//   ... and a job may destroy itself when it runs                         job_may_die_when_it_runs
//   of two workers one runs an external job, the other is notified        two_workers_one_job
//   two workers leave a stopped pool                                      two_workers_are_stopped
//   an external job runs although one of two workers leaves
//       meanwhile                                              submit_while_a_worker_leaves
//   jobs that submit themselves again do not starve external jobs, nor
//       older ones of their worker                             self_submitting_job
//   ... nor those of a worker that is busy self_submitting_job_beside_a_busy_worker
//
// Progress: submitting is lock-free while no worker sleeps, apart from the allocator. Waiting
// blocks; a worker blocks only when there is nothing to run.
// Costs (docs/components/thread_pool.md): join() allocates nothing, and has no locked instructions
// but those of the deque's pop; submit(), post(), call() allocate once.
// Source: Blitz's thread pool (BLITZ-01 to 48), repaired; see sync/worker_sleep.hpp,
// runtime/pool_core.hpp and docs/findings/blitz.md.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/bound_call.hpp"
#include "fencepost/runtime/fork_guard.hpp"
#include "fencepost/runtime/job_callable.hpp"
#include "fencepost/runtime/job_cancelled.hpp"
#include "fencepost/runtime/pool_await.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/pool_jobs.hpp"
#include "fencepost/runtime/pool_schedule.hpp"
#include "fencepost/runtime/pool_stopped.hpp"
#include "fencepost/runtime/pool_then.hpp"
#include "fencepost/runtime/thread_pool_options.hpp"
#include "fencepost/runtime/thread_pool_statistics.hpp"
#include "fencepost/runtime/unless_stopped.hpp"
#include "fencepost/runtime/worker_counters.hpp"
#include "fencepost/runtime/worker_team.hpp"
#include "fencepost/runtime/worker_thread.hpp"
#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost {

template <class P>
class basic_task_group;
template <class P>
class basic_strand;
template <class To, class P>
class pool_schedule;
template <class To, class P>
class pool_schedule_awaiter;
template <class F, class R, class P>
class following_job;

template <class P = default_atomics>
class basic_thread_pool {
  template <class F>
  using result_of = std::invoke_result_t<std::decay_t<F>>;

 public:
  static constexpr std::uint32_t most_workers = worker_sleep<P>::most_workers;

  // Throws std::invalid_argument for 0 workers and for inconsistent options.sleep,
  // std::length_error for more than most_workers, std::bad_alloc, and what worker_thread throws if
  // a thread cannot be started: std::system_error, and std::invalid_argument for too small a stack;
  // threads already started are joined then.
  explicit basic_thread_pool(thread_pool_options options = {});
  // With that many workers, and the default options.
  template <worker_number I>
  explicit basic_thread_pool(I workers)
      : basic_thread_pool{thread_pool_options{.workers = workers_of(workers)}} {}
  // Does what stop() does. On a worker of the pool, which cannot wait for itself, terminates the
  // program, with a message. In a child of fork(), returns, and leaves the pool's memory as it is.
  ~basic_thread_pool();

  basic_thread_pool(const basic_thread_pool&) = delete;
  basic_thread_pool& operator=(const basic_thread_pool&) = delete;

  // For each of the following: the callable is moved or copied in; it may be move-only, is called
  // once, without arguments and as an rvalue, and is destroyed before any thread learns of its end.
  // Throws pool_stopped (but not in jobs of the pool), std::bad_alloc, std::invalid_argument for a
  // callable that is null or empty, and whatever moving it throws; the job does not run then.

  // The handle receives the job's result, or its exception.
  template <class F>
  pool_future<result_of<F>, P> submit(F&& f) {
    return submit_by(*this, std::forward<F>(f));
  }
  // A job without a handle.
  template <class F>
  void post(F&& f) {
    post_by(*this, std::forward<F>(f));
  }
  // The same for f(args...): the arguments are moved or copied in, too, and moved into the call, as
  // those of std::async; std::ref() passes what is not to be copied.
  template <class F, class... Args>
  requires(called_with<F, Args...>) auto submit(F&& f, Args&&... args) {
    return submit(detail::job_of(std::forward<F>(f), std::forward<Args>(args)...));
  }
  template <class F, class... Args>
  requires(called_with<F, Args...>) void post(F&& f, Args&&... args) {
    post(detail::job_of(std::forward<F>(f), std::forward<Args>(args)...));
  }
#if defined(__cpp_lib_jthread)
  // The same, arguments or not, for a callable that is not called if `token` has been asked to stop
  // when the job's turn comes: get() throws job_cancelled then, and a job without a handle is
  // dropped. Either way the callable is destroyed in its turn. It may take the token, before its
  // arguments, to check it while it runs.
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
  // Runs the job on a worker and waits for it; returns its result, or throws its exception. On a
  // worker of the pool, calls it at once. The callable is neither moved nor copied.
  template <class F>
  decltype(auto) call(F&& f);
  // Runs both and waits for both, in unspecified order or concurrently; they return nothing. A
  // worker of the pool runs the left one itself, and the right one if no other does meanwhile; so
  // the left one should not block for long, because no worker is guaranteed to be woken for the
  // right one. An external caller's join is run by call(). Throws, once both have ended, what the
  // left one threw, otherwise what the right one threw.
  template <class F, class G>
  void join(F&& left, G&& right);

#if defined(__cpp_lib_coroutine)
  // After co_await of this, a coroutine continues on a worker: pool_schedule.hpp.
  auto schedule() noexcept { return pool_schedule<basic_thread_pool, P>{*this}; }
#endif

  // Refuses further external jobs, and returns once all accepted ones have run and the threads have
  // ended; at once if it was stopped before. Throws std::logic_error on a worker of the pool.
  void stop();

  std::uint32_t workers() const noexcept { return core_->workers(); }
  // Whether this thread is a worker of the pool.
  bool on_worker() const noexcept { return here() != nullptr; }
  // The index of the worker that this thread is, 0 … workers - 1; empty on any other thread. For
  // data that each worker has of its own; but a job that waits runs others on its worker meanwhile.
  std::optional<std::uint32_t> worker_index() const noexcept {
    const worker* const me = here();
    return me != nullptr ? std::optional{me->index()} : std::nullopt;
  }

  // In a job: records what follows, until the end of the scope, under this name in the trace. Does
  // nothing on any other thread, or if the policy does not trace. `name` must live as long as the
  // trace. The span must end on the thread on which it has begun: no co_await in between.
  static auto span(const char* name) noexcept {
    if constexpr (traced_policy<P>) {
      return worker_trace<true>::span{P::trace::current, trace_kind::span, name};
    } else {
      return worker_trace<false>::span{};
    }
  }
  // What the workers did, after stop(), for chrome_trace.hpp. Throws std::logic_error before that,
  // and in a child of fork(); std::bad_alloc.
  runtime_trace trace() requires(traced_policy<P>);

  // With a policy that counts: what the workers have done so far, and how many jobs are queued. Any
  // thread, jobs included, at any time; in a child of fork(), the numbers of that moment. Throws
  // std::bad_alloc. Costs: reads the numbers of each worker, without interrupting it.
  thread_pool_statistics statistics() const requires(counted_policy<P>) {
    return core_->statistics();
  }

 private:
  friend class basic_task_group<P>;
  friend class basic_strand<P>;
  friend class pool_schedule_awaiter<basic_thread_pool, P>;
  template <class, class, class>
  friend class following_job;
  template <class, class>
  friend class pool_future;
  using core = pool_core<P>;
  using worker = typename core::worker;
  // With a stack, a guard and a name, if the policy does not have threads of its own.
  using thread = std::conditional_t<std::is_same_v<typename P::thread, std::thread>, worker_thread,
                                    typename P::thread>;

  static std::uint32_t count_of(const thread_pool_options& options);
  worker* here() const noexcept {
    worker* const me = core::current;
    return me != nullptr && &me->pool() == &*core_ ? me : nullptr;
  }
  void check_process() const;
  // `by`: this pool, or a strand, hands the job over.
  template <class By, class F>
  pool_future<result_of<F>, P> submit_by(By& by, F&& f);
  template <class By, class F>
  void post_by(By& by, F&& f);
  void give(pool_job<P>& job);
  void stop_here() noexcept;

  const std::function<void(std::exception_ptr)> on_exception_;  // unwatched: never changed.
  kept_in_child<core, fork_guard_for<P>> core_;
  worker_team<thread> team_;  // unwatched: starts and joins the threads, under a mutex of its own
};

using thread_pool = basic_thread_pool<>;
using traced_thread_pool = basic_thread_pool<traced_atomics>;
using counted_thread_pool = basic_thread_pool<counted_atomics>;

template <class P>
basic_thread_pool<P>::basic_thread_pool(thread_pool_options options)
    : on_exception_{std::move(options.on_exception)},
      core_{count_of(options), options.sleep, options.out_of_turn} {
  if constexpr (traced_policy<P>) {
    for (std::uint32_t index = 0; index < workers(); ++index) {
      core_->at(index).trace().keep(name_of_worker(options.name, index), options.trace_events,
                                    &core_->sleep());
    }
  }
  team_.start(
      workers(),
      [&](std::uint32_t index) {
        const auto work = [this, index] {
          core::current = &core_->at(index);
          if constexpr (traced_policy<P>) P::trace::current = &core::current->trace();
          core_->work(core_->at(index));
        };
        if constexpr (std::is_same_v<thread, worker_thread>) {
          return worker_thread{
              {.stack = options.stack, .name = name_of_worker(options.name, index)}, work};
        } else {
          return thread{work};
        }
      },
      [this] { core_->close(); });
}

template <class P>
std::uint32_t basic_thread_pool<P>::count_of(const thread_pool_options& options) {
  const std::uint32_t count = options.workers.value_or(workers_of_the_machine(most_workers));
  if (count == 0) {
    detail::raise<std::invalid_argument>(
        "thread_pool: options.workers is 0, and no worker would run a job; leave it unset for as "
        "many as the machine has processors");
  }
  if (count > most_workers) {
    detail::raise<std::length_error>(
        "thread_pool: options.workers is " + std::to_string(count) + ", and at most " +
        std::to_string(most_workers) +
        " can be counted; leave it unset for as many as the machine has processors, or use several "
        "pools");
  }
  return count;
}

template <class P>
void basic_thread_pool<P>::check_process() const {
  if (core_.in_child()) [[unlikely]] {
    detail::raise<std::logic_error>(
        "thread_pool: this process was forked from the one that has the pool's threads, and no "
        "worker would run a job; create a pool in the child");
  }
}

// Adds the job to this thread's own deque, or to the injector. A worker does not check whether the
// process is a child of fork(): a job that has forked must not use the pool there.
template <class P>
void basic_thread_pool<P>::give(pool_job<P>& job) {
  if (worker* const me = here()) {
    core_->push(*me, job);
    return;
  }
  check_process();
  if (!core_->inject(job)) detail::raise<pool_stopped>();
}

template <class P>
template <class By, class F>
auto basic_thread_pool<P>::submit_by(By& by, F&& f) -> pool_future<result_of<F>, P> {
  detail::check_callable(f);
  using job = submitted_job<std::decay_t<F>, result_of<F>, P>;
  auto* const added = new job{*core_, std::forward<F>(f)};
  pool_future<result_of<F>, P> handle{*added};
  detail::attempt_or_undo([&] { by.give(*added); },
                          [&] { added->release(); });  // the pool's ownership
  return handle;
}

template <class P>
template <class By, class F>
void basic_thread_pool<P>::post_by(By& by, F&& f) {
  detail::check_callable(f);
  auto added = std::make_unique<posted_job<std::decay_t<F>, P>>(on_exception_, std::forward<F>(f));
  by.give(*added);
  static_cast<void>(added.release());
}

template <class P>
template <class F>
decltype(auto) basic_thread_pool<P>::call(F&& f) {
  if (on_worker()) return std::invoke(std::forward<F>(f));
  return submit([&f]() -> decltype(auto) { return std::invoke(std::forward<F>(f)); }).get();
}

template <class P>
template <class F, class G>
void basic_thread_pool<P>::join(F&& left, G&& right) {
  static_assert(std::is_void_v<std::invoke_result_t<F>> && std::is_void_v<std::invoke_result_t<G>>,
                "a callable that is joined must return nothing: let it store its result");
  worker* const me = here();
  if (me == nullptr) return call([&] { join(std::forward<F>(left), std::forward<G>(right)); });

  joined_job<G&&, P> other{*me, std::forward<G>(right)};
  core_->push_unfenced(*me, other);  // popped here, if no other worker takes it
  std::exception_ptr error;
  detail::attempt([&] { std::invoke(std::forward<F>(left)); },
                  [&] { error = std::current_exception(); });
  other.finish();
  if (error) std::rethrow_exception(std::move(error));
  other.rethrow();
}

template <class P>
void basic_thread_pool<P>::stop() {
  check_process();
  if (on_worker()) {
    detail::raise<std::logic_error>(
        "thread_pool: stop() in a job of the pool, which would wait for itself; call it from a "
        "thread outside");
  }
  stop_here();
}

template <class P>
runtime_trace basic_thread_pool<P>::trace() requires(traced_policy<P>) {
  check_process();
  if (on_worker() || !team_.ended()) {
    detail::raise<std::logic_error>(
        "thread_pool: trace() of a running pool, whose workers still write to it; call stop() "
        "first");
  }
  return trace_of_workers("thread_pool", *core_);
}

template <class P>
basic_thread_pool<P>::~basic_thread_pool() {
  if constexpr (std::is_same_v<thread, worker_thread>) {
    if (core_.in_child()) {
      team_.abandon();
      return;
    }
  }
  if (on_worker()) destroyed_by_its_worker("thread_pool");
  stop_here();
}

template <class P>
void basic_thread_pool<P>::stop_here() noexcept {
  team_.end([this] { core_->close(); });
}

}  // namespace fencepost
