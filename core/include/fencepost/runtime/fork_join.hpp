// Fork-join: a pool of threads that work on one recursive task together.
//
//   fork_join pool;                                       one worker a processor
//   long r = pool.run([](fork_join_worker& me) { return fib(me, 40); });
//
//   long fib(fork_join_worker& me, int n) noexcept {
//     if (n < 2) return n;
//     auto left = me.spawn([n](fork_join_worker& who) noexcept { return fib(who, n - 1); });
//     const long right = fib(me, n - 2);
//     return me.sync(left) + right;
//   }
//
// fork_join_worker.hpp has the operations of a task, fork_join_core.hpp the way that workers find
// tasks, fork_join_frames.hpp the calls that all of them make, parallel.hpp loops and reductions.
//
// The end: stop(), or the destructor, refuses further calls of run(), waits for those in progress,
// and returns once the threads have ended.
//
// Threads: any thread, run(); in a task of this pool it is a plain call. stop() and the destructor:
// any thread that is not a worker of the pool. The pool may be stopped while others call run():
// they get their result, or fork_join_stopped is thrown to them. It may be destroyed when no thread
// will begin a call.
// After fork() the child has no workers: there run() and stop() throw std::logic_error, and the
// destructor returns at once. If the fork was in a task of the pool, that task must not spawn, sync
// or return in the child.
// For any threads X and Y: everything sequenced before X's run() happens before the task, which Y
// runs; the task happens before X's run() returns or throws.
//
// Claims (fork_join/…):
//   sync() returns a stolen task's complete result, or its exception     stolen_result,
//                                                                        stolen_exception
//   ... while the worker steals back from the thief                      leapfrogging
//   a dropped task has run or never will                                 drop_against_theft
//   a task that was shared and is taken back runs once, on either        tasks_are_taken_back,
//       word (fork_join_features::word)                                  taken_back_by_halves
//   a sleeping worker is woken when there is something to steal          sleeper_is_woken,
//                                                                        sleeper_is_answered
//   ... even if only a busy worker has it, and had nothing when it       sleeper_gets_private_work,
//       was asked, or has given that to another                          every_sleeper_gets_work
//   ... whichever worker has it                                          last_look_sees_the_first,
//                                                                        last_look_sees_the_next,
//                                                                        last_look_sees_the_last
//   ... for each of two tasks, of workers or external                    thief_wakes_for_the_rest,
//                                                                        two_submissions
//   an external run() runs once, and happens before its return           outside_waits
//   ... its caller sleeps while there is no room                         submitter_waits_for_room
//   ... or is refused, if the pool is stopped meanwhile                  submit_against_stop
//   sleeping workers leave when the pool is stopped                      two_workers_are_stopped,
//       and when the last task is done                                   last_task_lets_all_leave
//   together() runs once on each worker, waiting ones included           together,
//                                                                        waiting_worker_joins
//   ... where meet() is a barrier for all                                all_meet
//   new_frame() hides the tasks spawned before, until it is done         new_frame,
//                                                                        new_frame_hides,
//                                                                        frame_keeps_tasks_apart
//
// Progress: run() and stop() block.
// Costs: docs/components/fork_join.md. Address space: 64 bytes per task, and the reservation of the
// scratch memory, for each worker; memory grows with the depth of the recursion.
// Source: T. van Dijk and J. van de Pol, "Lace: non-blocking split deque for work-stealing" (2014),
// as of Lace 1.6 (LACE-01 to 100), repaired; docs/findings/lace.md says where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/exceptions.hpp"
#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/fork_guard.hpp"
#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/runtime/fork_join_features.hpp"
#include "fencepost/runtime/fork_join_search.hpp"
#include "fencepost/runtime/fork_join_worker.hpp"
#include "fencepost/runtime/placement.hpp"
#include "fencepost/runtime/task_outcome.hpp"
#include "fencepost/runtime/worker_team.hpp"
#include "fencepost/runtime/worker_thread.hpp"
#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost {

struct fork_join_options {                    // How many workers, and what each has.
  std::optional<std::uint32_t> workers = {};  // not set: as many as the machine has processors
  std::uint32_t tasks = 1u << 20;             // that fit a worker's deque at a time; see spawn()
  scratch_options scratch = {.name = "scratch memory"};  // of each worker
  fork_join_search search = {};
  std::size_t stack = worker_thread_options{}.stack;  // bytes of address space of each worker
  // Pins each worker to a place of its own (placement.hpp), with its stack and deque in memory near
  // it: for a pool that has the machine to itself.
  bool pin = false;
  std::string name =
      "fencepost";  // its threads are called name-0, name-1, …; empty: as the program
  std::size_t trace_events = 1u << 16;  // the last events kept of each worker, if Features.trace
};

// run() was called after stop(); nothing was run.
struct fork_join_stopped : std::runtime_error {
  fork_join_stopped()
      : std::runtime_error{
            "fork_join: the pool was stopped and takes no tasks any more; call run() before "
            "stop(), or use another pool"} {}
};

template <fork_join_features Features = fork_join_features{}>
class basic_fork_join {
 public:
  using worker = basic_fork_join_worker<default_atomics, Features>;

  static constexpr std::uint32_t most_workers = 1u << 16;

  // Throws std::invalid_argument for 0 workers, and for near_steals without pin, std::length_error
  // for more than most_workers and for more tasks than a deque holds, scratch_error if the system
  // refuses the address space, std::bad_alloc, and what worker_thread throws if a thread cannot be
  // started: std::system_error, and std::invalid_argument for too small a stack; threads already
  // started are joined then.
  explicit basic_fork_join(fork_join_options options = {});
  // With that many workers, and the default options.
  template <worker_number I>
  explicit basic_fork_join(I workers)
      : basic_fork_join{fork_join_options{.workers = workers_of(workers)}} {}
  // Does what stop() does. On a worker of the pool, which cannot wait for itself, terminates the
  // program, with a message. In a child of fork(), returns, and leaves the pool's memory as it is.
  ~basic_fork_join();

  basic_fork_join(const basic_fork_join&) = delete;
  basic_fork_join& operator=(const basic_fork_join&) = delete;

  // Calls f(worker), or f(), on a worker, and waits for it; returns its result, or throws its
  // exception. In a task of this pool, calls it at once. The callable is neither moved nor copied.
  // Throws fork_join_stopped if the pool was stopped before; f is not called then.
  template <class F>
  detail::task_result<F, worker> run(F&& f);

  // Refuses further calls of run(), and returns once all calls have returned and the threads have
  // ended; at once if it was stopped before. Throws std::logic_error on a worker of the pool.
  void stop();

  std::uint32_t workers() const noexcept { return core_->workers(); }
  // Whether this thread is a worker of the pool.
  bool on_worker() const noexcept { return here() != nullptr; }
  // With fork_join_features{.statistics = true}, what the workers have done so far, and what one of
  // them has, index < workers(). Any thread, at any time. The numbers include all that happened
  // before the call, and are not of one moment while the pool works.
  fork_join_statistics statistics() const noexcept { return core_->statistics(); }
  fork_join_statistics statistics(std::uint32_t index) const noexcept {
    return core_->statistics(index);
  }
  // What the workers did, with fork_join_features{.trace = true}, after stop(): for
  // chrome_trace.hpp. A task that its own worker takes back is a part of the one that has spawned
  // it. Throws std::logic_error before stop(), and in a child of fork(); std::bad_alloc.
  runtime_trace trace() requires(Features.trace);

 private:
  using core = fork_join_core<default_atomics, Features>;

  // The task of a run(), on the stack of the waiting caller.
  template <class F>
  struct root final : core::submission {
    using result = detail::task_result<F, worker>;
    explicit root(F&& callable) noexcept
        : core::submission{&run_it}, f{std::forward<F>(callable)} {}
    static void run_it(typename core::submission& base, worker& me) noexcept {
      auto& self = static_cast<root&>(base);
      self.outcome.keep_of([&]() -> result { return call_with(std::forward<F>(self.f), me); });
    }
    F&& f;
    task_outcome<result> outcome;
  };

  static std::uint32_t count_of(const fork_join_options& options);
  static std::vector<std::uint32_t> nodes_of(const fork_join_options& options);
  worker* here() const noexcept {
    worker* const me = worker::current;
    return me != nullptr && core_->owns(*me) ? me : nullptr;
  }
  void check_process() const;
  void stop_here() noexcept;

  kept_in_child<core> core_;
  worker_team<worker_thread> team_;
};

using fork_join = basic_fork_join<>;

template <fork_join_features Features>
basic_fork_join<Features>::basic_fork_join(fork_join_options options)
    : core_{count_of(options), options.tasks, options.scratch, options.search, nodes_of(options)} {
  if constexpr (Features.trace) {
    for (std::uint32_t index = 0; index < workers(); ++index) {
      core_->at(index).trace().keep(name_of_worker(options.name, index), options.trace_events);
    }
  }
  team_.start(
      workers(),
      [&](std::uint32_t index) {
        worker_thread_options thread{.stack = options.stack,
                                     .name = name_of_worker(options.name, index)};
        if (options.pin) thread.pin_to = index;
        return worker_thread{thread, [this, index] {
                               worker::current = &core_->at(index);
                               core_->work(core_->at(index));
                             }};
      },
      [this] { core_->close(); });
}

template <fork_join_features Features>
std::uint32_t basic_fork_join<Features>::count_of(const fork_join_options& options) {
  const std::uint32_t count = options.workers.value_or(workers_of_the_machine(most_workers));
  if (count == 0) {
    detail::raise<std::invalid_argument>(
        "fork_join: options.workers is 0, and no worker would run a task; leave it unset for as "
        "many as the machine has processors");
  }
  if (count > most_workers) {
    detail::raise<std::length_error>(
        "fork_join: options.workers is " + std::to_string(count) + ", more than the " +
        std::to_string(most_workers) +
        " that a pool can have; leave it unset for as many as the machine has processors");
  }
  return count;
}

// The memory node of each worker, which is known only of workers that are pinned; empty if the
// search does not use it.
template <fork_join_features Features>
std::vector<std::uint32_t> basic_fork_join<Features>::nodes_of(const fork_join_options& options) {
  std::vector<std::uint32_t> nodes;
  if (options.search.near_steals == 0) return nodes;
  if (!options.pin) {
    detail::raise<std::invalid_argument>(
        "fork_join: options.search.near_steals is set, and options.pin is not: which workers share "
        "a memory node is known only for pinned workers");
  }
  nodes.resize(count_of(options));
  for (std::uint32_t index = 0; index < nodes.size(); ++index) {
    nodes[index] = placement::node(index);
  }
  return nodes;
}

template <fork_join_features Features>
template <class F>
auto basic_fork_join<Features>::run(F&& f) -> detail::task_result<F, worker> {
  if (worker* const me = here()) return call_with(std::forward<F>(f), *me);
  check_process();
  root<F> task{std::forward<F>(f)};
  if (!core_->submit(task)) detail::raise<fork_join_stopped>();
  task.wait();
  return task.outcome.take();
}

template <fork_join_features Features>
void basic_fork_join<Features>::check_process() const {
  if (core_.in_child()) [[unlikely]] {
    detail::raise<std::logic_error>(
        "fork_join: this process was forked from the one that has the pool's threads, and no "
        "worker would run a task; create a pool in the child");
  }
}

template <fork_join_features Features>
basic_fork_join<Features>::~basic_fork_join() {
  if (core_.in_child()) {
    team_.abandon();
  } else {
    if (on_worker()) destroyed_by_its_worker("fork_join");
    stop_here();
  }
}

template <fork_join_features Features>
void basic_fork_join<Features>::stop() {
  check_process();
  if (on_worker()) {
    detail::raise<std::logic_error>(
        "fork_join: stop() in a task of the pool, which would wait for itself; call it from a "
        "thread outside");
  }
  stop_here();
}

template <fork_join_features Features>
runtime_trace basic_fork_join<Features>::trace() requires(Features.trace) {
  check_process();
  if (on_worker() || !team_.ended()) {
    detail::raise<std::logic_error>(
        "fork_join: trace() of a running pool, whose workers still write to it; call stop() first");
  }
  return trace_of_workers("fork_join", *core_);
}

template <fork_join_features Features>
void basic_fork_join<Features>::stop_here() noexcept {
  team_.end([this] { core_->close(); });
}

}  // namespace fencepost
