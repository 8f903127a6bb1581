// A set of tasks of a thread_pool that can be waited for, apart from all else that the pool runs.
//
//   task_group tasks{pool};
//   for (const path& each : files) tasks.run([&each] { index(each); });
//   tasks.run(index, root, depth);      with arguments, as post() of the pool
//   tasks.run(token, [] { tidy(); });   not if it is asked to stop before it begins
//   tasks.cancel();                     those that have not begun will not run
//   tasks.wait();                       all have ended; throws what the first that failed threw
//
// A task is a job of the pool as those of post() are, and the groups of a pool know nothing of each
// other. A task may add others to its group, and may have groups of its own. A group may be used
// again after wait().
//
// Waiting: a thread outside the pool sleeps. A worker of the pool meanwhile runs jobs on top of
// its stack, its own newest first: these are the tasks that it has just added, if no other worker
// has taken them. It may run jobs that are not of the group as well: as in get() of a handle, these
// must not need what the worker holds while it waits (a lock). A task of the group must not wait
// for the group, which is not detected.
//
// Exceptions: wait() throws the first that left a task since the last wait(); others are lost. An
// exception stops no other task: to do so, a task calls cancel(), or asks a std::stop_source whose
// token some of the others have. The destructor waits, and discards the exception.
//
// Threads: one thread at a time, the owner, which is in no task of the group: the constructor,
// wait(), the destructor. The owner, and tasks of the group: run(). Any thread, as long as the
// group is there: cancel(), cancelled(). The pool outlives the group, and may be stopped meanwhile:
// run() outside throws pool_stopped then, and tasks that were added run. In a child of fork() run()
// and wait() throw std::logic_error, and the destructor returns.
// For any threads X, Y and Z: everything sequenced before X's run() happens before the task, which
// Y runs; the task happens before the end of Z's wait(), returned or thrown, or of the destructor.
//
// Claims (thread_pool/…):
//   what the tasks did, and the exception of one, is visible when
//       wait() returns; the group may be destroyed then            group_may_die_after_the_wait
//   ... if a worker waits                                          group_of_a_waiting_worker
//   a task that a task of the group has added is waited for        group_task_adds_another
//   a task that is added after cancel() does not run, and one
//       after the next wait() does                                 cancelled_group_is_used_again
//
// Progress: run() as post() of the pool; wait() blocks. Costs: an allocation and two locked
// instructions a task beside what the pool takes; wait(), one.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/bound_call.hpp"
#include "fencepost/runtime/group_count.hpp"
#include "fencepost/runtime/job_callable.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/unless_stopped.hpp"

namespace fencepost {

// Destroys itself once it has run, and then leaves the group.
template <class F, class P>
class group_task final : public pool_job<P> {
 public:
  template <class G>
  group_task(group_count<P>& group, G&& f)
      : pool_job<P>{&run_it}, group_{group}, callable_{std::forward<G>(f)} {}

 private:
  static void run_it(pool_job<P>& job) noexcept {
    std::unique_ptr<group_task> me{static_cast<group_task*>(&job)};
    group_count<P>& group = me->group_;
    if (!group.cancelled()) {
      detail::attempt([&] { static_cast<void>(std::invoke(std::move(me->callable_))); },
                      [&] { group.fail(std::current_exception()); });
    }
    me.reset();  // the owner may rely on its captures being destroyed
    group.leave();
  }
  // unwatched: written before run_ of the base is published, and read after that, by the thread
  // that destroys it.
  group_count<P>& group_;
  F callable_;
};

template <class P = default_atomics>
class basic_task_group {
  using pool = basic_thread_pool<P>;

 public:
  explicit basic_task_group(basic_thread_pool<P>& of) noexcept : pool_{of} {}
  // Waits, as wait() does; what a task threw is lost. In a child of fork(), returns at once.
  ~basic_task_group() {
    if (!pool_.core_.in_child()) count_.wait(pool_.here());
  }
  basic_task_group(const basic_task_group&) = delete;
  basic_task_group& operator=(const basic_task_group&) = delete;

  // Adds a task. The callable is moved or copied in; it may be move-only, is called once, without
  // arguments and as an rvalue, and is destroyed before wait() returns; its result is not kept.
  // Throws what post() of the pool throws; the task does not run then.
  template <class F>
  void run(F&& f);
  // The same for f(args...), as for post() of the pool.
  template <class F, class... Args>
  requires(called_with<F, Args...>) void run(F&& f, Args&&... args) {
    run(detail::job_of(std::forward<F>(f), std::forward<Args>(args)...));
  }
#if defined(__cpp_lib_jthread)
  // The same, arguments or not, for a callable that is not called if `token` has been asked to stop
  // when the task's turn comes. It may take the token, before its arguments, to check it while it
  // runs.
  template <class F, class... Args>
  requires(stoppable<bound_call_of<F, Args...>>) void run(std::stop_token token, F&& f,
                                                          Args&&... args) {
    run(dropped_if_stopped(std::move(token),
                           detail::job_of(std::forward<F>(f), std::forward<Args>(args)...)));
  }
#endif

  // Tasks that have not begun are not called any more, and neither are those that are added before
  // the next wait() returns; what they captured is destroyed in their turn. A task that has begun
  // runs to its end, and may check cancelled(). Orders nothing: a task on another worker that
  // begins at the same time may still run. Wait-free.
  void cancel() noexcept { count_.cancel(); }
  bool cancelled() const noexcept { return count_.cancelled(); }

  // Returns once all tasks have ended, and those that they have added. Throws what one of them
  // threw.
  void wait();

 private:
  pool& pool_;  // unwatched: never changed
  group_count<P> count_;
};

using task_group = basic_task_group<>;

template <class P>
template <class F>
void basic_task_group<P>::run(F&& f) {
  detail::check_callable(f);
  auto added = std::make_unique<group_task<std::decay_t<F>, P>>(count_, std::forward<F>(f));
  count_.enter();
  detail::attempt_or_undo([&] { pool_.give(*added); }, [&] { count_.leave(); });
  static_cast<void>(added.release());
}

template <class P>
void basic_task_group<P>::wait() {
  pool_.check_process();
  count_.wait(pool_.here());
  if (std::exception_ptr error = count_.take_error()) std::rethrow_exception(std::move(error));
}

}  // namespace fencepost
