// A pool of threads that run jobs: callables that are given to it one at a time, from anywhere.
//
//   thread_pool pool;                                   one worker a processor
//   auto square = pool.submit([] { return 6 * 7; });    a handle, to wait by
//   pool.post([] { log("no one waits for this"); });
//   int answer = pool.call([] { return compute(); });   until it is done
//   pool.join([&] { left(); }, [&] { right(); });       both, perhaps at once
//
// A job that a job submits goes to its worker's own deque, and is run next, by that worker, or
// before, by another that has nothing to do; one from outside to a queue that workers look at when
// they find nothing else (so that jobs without end keep them from it). Workers that find nothing
// for a while sleep.
//
// Exceptions: that of a submitted job is thrown by get(), of a call by call(), of a join by join(),
// where the left one's goes before. One that leaves a posted job is given to options.on_exception,
// and ends the program, as one that leaves a std::thread does, if that is not set.
//
// The end: stop(), or the destructor, lets no more jobs in from outside, runs all that were let in,
// and those that they submit, and returns when that is done. Nothing is dropped.
//
// Who may call: any thread, jobs of the pool included, all but stop() and the destructor, which
// are for any other thread. The pool may be stopped while others submit: their jobs are run, or
// pool_stopped is thrown to them. It may be destroyed when no thread will begin a call; those that
// have begun, and whose job was run, need not have returned.
// For any threads X and Y, what X did before it submitted a job is visible to the job, which Y
// runs; what the job did is visible to whom waits for it, when ready() has said true or wait(),
// get(), call() or join() has returned or thrown, and to whom calls stop(), when that has returned.
//
// Claims (thread_pool/…):
//   a job from outside is run once, and who waits sees what it did        outside_waits
//   ... though nobody waits                                               nobody_waits
//   ... or is refused, where the pool is stopped meanwhile                submit_against_stop
//   jobs that a worker pushes are each run once before the pool ends      claim
//   a worker that waits for a job which another has is woken, and sees
//       what it did                                                       worker_waits,
//                                                                         worker_submits_and_waits,
//                                                                         joined_job_may_die
//   a sleeping worker obtains work that only a busy owner has           sleeper_gets_pushed_work,
//                                                            second_sleeper_gets_pushed_work
//   who learns of a job may destroy the pool, though the call that gave
//       it has not returned                                               destroyed_at_once
//   of two workers one runs a job from outside, and the other is told     two_workers_one_job
//   two workers leave a pool that is stopped                              two_workers_are_stopped
//   a job from outside is run though one of two workers leaves
//       meanwhile                                              submit_while_a_worker_leaves
//
// Progress: submitting is lock-free while nobody sleeps and memory is to be had. Waiting blocks, on
// a worker only when there is nothing to run.
// Costs (docs/components/thread_pool.md): join() allocates nothing and locks nothing but what the
// deque's pop does; submit(), post(), call() allocate once.
// Source: Blitz's thread pool (BLITZ-01 to 48), repaired; see sync/worker_sleep.hpp,
// runtime/pool_core.hpp and docs/findings/blitz.md.
#pragma once

#include <cstddef>
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
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/pool_jobs.hpp"
#include "fencepost/runtime/worker_team.hpp"

namespace fencepost {

struct thread_pool_options {                  // How many workers, and how they sleep.
  std::optional<std::uint32_t> workers = {};  // not set: as many as the machine has processors
  sleep_options sleep = {};                   // how long idle workers look before they sleep
  // Is given what leaves a posted job, on the worker that ran it. Must not throw.
  std::function<void(std::exception_ptr)> on_exception = {};
};

// A job was given to a pool that takes no more; it was not run and will not be.
struct pool_stopped : std::runtime_error {
  pool_stopped()
      : std::runtime_error{
            "thread_pool: the pool was stopped and takes no jobs from outside any more; submit "
            "before stop(), or to another pool"} {}
};

template <class P = default_atomics>
class thread_pool {
  template <class F>
  using result_of = std::invoke_result_t<std::decay_t<F>>;

 public:
  static constexpr std::uint32_t most_workers = worker_sleep<P>::most_workers;

  // Throws std::invalid_argument for 0 workers and for options.sleep that make no sense,
  // std::length_error for more than most_workers, std::bad_alloc, and std::system_error if a thread
  // cannot be started; those that were are ended then.
  explicit thread_pool(thread_pool_options options = {});
  // As stop(). On a worker of the pool, which cannot wait for itself, ends the program.
  ~thread_pool() { stop_here(); }

  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  // Each of the following: the callable is moved or copied in; it needs to be movable only, is
  // called once, without arguments and as an rvalue, and destroyed before anyone hears of its end.
  // Throws pool_stopped, not to jobs of the pool, std::bad_alloc, std::invalid_argument for a
  // callable that is null or empty, and what moving it throws; the job is not run then.

  // The job's result, or its exception, is for whom has the handle.
  template <class F>
  pool_future<result_of<F>, P> submit(F&& f);
  // Nobody waits for the job.
  template <class F>
  void post(F&& f);
  // Runs the job on a worker and waits for it: its result, or its exception. Calls it at once if
  // this is a worker of the pool. The callable is neither moved nor copied.
  template <class F>
  decltype(auto) call(F&& f);
  // Runs both and waits for both, in which order and at once or not being left open; they return
  // nothing. On a worker of the pool this one runs the left one, and the right one if no other does
  // meanwhile; so the left one should not block for long, for nobody is sure to be woken for the
  // right one. From outside it is call()ed. Throws, when both have ended, what the left one threw,
  // otherwise what the right one did.
  template <class F, class G>
  void join(F&& left, G&& right);

  // Lets no more jobs in from outside, and returns when all are run and the threads have ended; at
  // once if it was stopped before. Throws std::logic_error on a worker of the pool.
  void stop();

  std::uint32_t workers() const noexcept { return core_.workers(); }
  // Whether this thread is one of the pool's.
  bool on_worker() const noexcept { return here() != nullptr; }

 private:
  using core = pool_core<P>;
  using worker = typename core::worker;

  static std::uint32_t count_of(const thread_pool_options& options);
  worker* here() const noexcept {
    worker* const me = core::current;
    return me != nullptr && &me->pool() == &core_ ? me : nullptr;
  }
  template <class F>
  static void check_callable(const F& f);
  void give(pool_job<P>& job);
  void stop_here() noexcept;

  const std::function<void(std::exception_ptr)> on_exception_;  // unwatched: never changed.
  core core_;
  worker_team<typename P::thread> team_;
};

template <class P>
thread_pool<P>::thread_pool(thread_pool_options options)
    : on_exception_{std::move(options.on_exception)}, core_{count_of(options), options.sleep} {
  team_.start(
      workers(),
      [this](std::uint32_t index) {
        return typename P::thread{[this, index] {
          core::current = &core_.at(index);
          core_.work(core_.at(index));
        }};
      },
      [this] { core_.close(); });
}

template <class P>
std::uint32_t thread_pool<P>::count_of(const thread_pool_options& options) {
  const std::uint32_t count = options.workers.value_or(workers_of_the_machine(most_workers));
  if (count == 0) {
    detail::raise<std::invalid_argument>(
        "thread_pool: options.workers is 0, and nobody would run a job; leave it unset for as many "
        "as the machine has processors");
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
template <class F>
void thread_pool<P>::check_callable(const F& f) {
  if constexpr (!std::is_function_v<F> && std::is_constructible_v<F, std::nullptr_t>) {
    if (f == nullptr) {
      detail::raise<std::invalid_argument>(
          "thread_pool: an empty callable, a null pointer to a function or a std::function without "
          "a target; there is nothing to run");
    }
  }
}

// To this thread's own deque, or to the injector.
template <class P>
void thread_pool<P>::give(pool_job<P>& job) {
  if (worker* const me = here()) {
    core_.push(*me, job);
  } else if (!core_.inject(job)) {
    detail::raise<pool_stopped>();
  }
}

template <class P>
template <class F>
auto thread_pool<P>::submit(F&& f) -> pool_future<result_of<F>, P> {
  check_callable(f);
  using job = submitted_job<std::decay_t<F>, result_of<F>, P>;
  auto* const added = new job{core_, std::forward<F>(f)};
  pool_future<result_of<F>, P> handle{*added};
  detail::attempt_or_undo([&] { give(*added); }, [&] { added->release(); });  // what was the pool's
  return handle;
}

template <class P>
template <class F>
void thread_pool<P>::post(F&& f) {
  check_callable(f);
  auto added = std::make_unique<posted_job<std::decay_t<F>, P>>(on_exception_, std::forward<F>(f));
  give(*added);
  static_cast<void>(added.release());
}

template <class P>
template <class F>
decltype(auto) thread_pool<P>::call(F&& f) {
  if (on_worker()) return std::invoke(std::forward<F>(f));
  return submit([&f]() -> decltype(auto) { return std::invoke(std::forward<F>(f)); }).get();
}

template <class P>
template <class F, class G>
void thread_pool<P>::join(F&& left, G&& right) {
  static_assert(std::is_void_v<std::invoke_result_t<F>> && std::is_void_v<std::invoke_result_t<G>>,
                "what is joined returns nothing: let it store its result where you want it");
  worker* const me = here();
  if (me == nullptr) return call([&] { join(std::forward<F>(left), std::forward<G>(right)); });

  joined_job<G&&, P> other{*me, std::forward<G>(right)};
  core_.push_unfenced(*me, other);  // popped here, if nobody takes it
  std::exception_ptr error;
  detail::attempt([&] { std::invoke(std::forward<F>(left)); },
                  [&] { error = std::current_exception(); });
  other.finish();
  if (error) std::rethrow_exception(std::move(error));
  other.rethrow();
}

template <class P>
void thread_pool<P>::stop() {
  if (on_worker()) {
    detail::raise<std::logic_error>(
        "thread_pool: stop() in a job of the pool, which would wait for itself; call it from a "
        "thread outside");
  }
  stop_here();
}

template <class P>
void thread_pool<P>::stop_here() noexcept {
  team_.end([this] { core_.close(); });
}

}  // namespace fencepost
