// Runs tasks of any thread on one thread: posted tasks, delayed ones, and watches of descriptors.
//
//      any thread                            the runner's thread, a turn of run()
//        post, post_delayed, quit ---------->  run the next posted task
//        add_watch, remove_watch (hop) ----->  run the next delayed task that is due
//                                              poll the descriptors; sleep in it if nothing is left
//                                              post a task for each readable descriptor
//
// The runner's thread is the first one to call run() or run_until_idle(), and remains so for ever.
//
// Claims (scenarios of task_runner/ and ticket_queue/):
//   no post is missed by a sleeping runner         post_against_poll, two_posters, two_rounds,
//                                                  sleep_behind_an_unfinished_post
//   the tasks that one thread posts run in its order; if one post happens before another, its task
//   runs first                                     own_tasks_keep_the_order, own_tasks_overflow,
//                                                  own_task_behind_an_unfinished_post,
//                                                  ticket_queue/causal_order
//   a thread whose last task has begun to run does not touch the runner any more: the runner may
//   be destroyed                                   destroyed_after_the_last_task
//   a quit() ends the run that it was called in; if it comes too late, everything before it is
//   visible when that run ends                     quit_against_the_end_of_a_run
// By tests (core/tests/task_runner_*test.cpp): delayed tasks run in the order of their times, those
// due at the same time in the order of their posts; repeating ones when they are due, and not once
// they have been asked to stop; the consequence of each misuse; that a watchdog
// reports a task, a delayed one, a watch that takes too long (core/tests/watchdog_test.cpp); what a
// traced_task_runner records (core/tests/task_runner_trace_test.cpp), and a counted_task_runner
// counts (core/tests/statistics_test.cpp).
//
// Memory: a task is kept in place if its callable has at most 48 bytes, is aligned as a pointer at
// most, and moves without exceptions; others are allocated. Apart from that, nothing is allocated
//   - by a post that leaves at most 512 items, while no post runs at the same time as another one
//     or as a turn (ticket_queue says why); an item is a task, a delayed one that has not had its
//     turn, a ready descriptor;
//   - by a delayed task, unless more than ever before are waiting, and more than half of
//     options::delayed; those that a token has cancelled do not count.
// Initially, two slabs of 33 KB and a ring of 16 KB are allocated.
//
// Exceptions: an exception of a task leaves run(). That task is over; everything else is unchanged,
// and run() may be called again.
//
// Progress: post is lock-free apart from the allocator and, if the runner sleeps, a write() to its
// event. Tasks run in the order of their posts: a posted task waits for those whose posts have
// begun before: for a few instructions, or, if such a poster is preempted in the middle of them,
// until that runs again. Meanwhile the runner runs delayed tasks that are due, or sleeps.
// Costs: post, ticket_queue's push and a fence; on the runner's thread, as a rule a move and no
// locked instruction. A turn is one poll() (on Windows one WaitForMultipleObjects(), and a wait
// for each watched object if one is signalled), none while there is work and no watch. Before it
// sleeps the runner yields once, so that it does not sleep between the tasks of a burst of posts;
// and up to 16 times, some microseconds, if a post has ended its last sleep within 50 microseconds:
// two runners that answer each other stay awake. Systems: those that have poll(), and Windows,
// which waits for 63 watched objects at most. A runner must not be used after fork(): the child
// shares the event. Source: Perfetto's LockFreeTaskRunner (design document), corrected as
// docs/findings/perfetto.md says.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <version>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/delayed_tasks.hpp"
#include "fencepost/runtime/due_after.hpp"
#include "fencepost/runtime/empty_callable.hpp"
#include "fencepost/runtime/recurrence.hpp"
#include "fencepost/runtime/run_number.hpp"
#include "fencepost/runtime/runner_schedule.hpp"
#include "fencepost/runtime/small_function.hpp"
#include "fencepost/runtime/task_inbox.hpp"
#include "fencepost/runtime/task_runner_statistics.hpp"
#include "fencepost/runtime/unless_stopped.hpp"
#include "fencepost/runtime/wake_event.hpp"
#include "fencepost/runtime/watch_events.hpp"
#include "fencepost/runtime/watchdog.hpp"
#include "fencepost/runtime/worker_counters.hpp"
#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost {

namespace detail {
struct traced_wake_event : wake_event {  // A signal is recorded by the thread that gives it.
  void signal() noexcept {
    traced_atomics::trace::woke(this, trace_event::nobody);
    wake_event::signal();
  }
};
}  // namespace detail

template <task_runner_features Features = task_runner_features{}>
class basic_task_runner {
 public:
  struct options {             // Settings of a new runner.
    unsigned batch = 1;        // posted tasks per turn, and as many delayed ones; at least 1
    std::size_t delayed = 64;  // delayed tasks for which there is room at first
    // Reports tasks and watches that take too long, under the name `watched_as`. It must outlive
    // the runner. Without one, a task costs a branch more.
    watchdog* watched_by = nullptr;
    const char* watched_as = "task_runner";
    std::size_t trace_events = 1u << 16;    // how many events, the last ones, a traced runner keeps
    const char* traced_as = "task_runner";  // its thread's name in the trace
  };
  using task = small_function<void()>;
  using watch = small_function<void(watch_events)>;
  using clock = std::chrono::steady_clock;
  // What is watched: a file descriptor; on Windows the HANDLE of an object that can be signalled.
  using waitable = wake_event::waitable;

  // Throws std::bad_alloc; std::system_error if there is no descriptor for the event; and
  // std::invalid_argument for a batch of 0, and for trace_events of 0 if it traces.
  basic_task_runner() : basic_task_runner(options{}) {}
  explicit basic_task_runner(options chosen);
  // Destroys the tasks, delayed tasks and watches that are left, without running them. Must not be
  // called from within one of the tasks, nor while another thread runs them: that ends the process,
  // with a message. Every call of another thread must have returned, or be a post whose task has
  // begun to run.
  ~basic_task_runner();
  basic_task_runner(const basic_task_runner&) = delete;
  basic_task_runner& operator=(const basic_task_runner&) = delete;

  // Any thread. f() runs once, on the runner's thread; everything before this call happens before
  // f. Throws std::invalid_argument if f is empty, std::bad_alloc, and whatever moving f throws;
  // then nothing is posted.
  template <class F>
  void post(F&& f) {
    put(item{immediately, checked<task>("post", std::forward<F>(f))});
  }
  // Any thread. The same, after the delay at the earliest: any duration; negative means zero,
  // unrepresentable means never. The task first takes its turn among those posted before. Delayed
  // tasks run in the order of their times, those due at the same time in the order of their arrival
  // on the runner's thread.
  template <class F, class Rep, class Period>
  void post_delayed(F&& f, std::chrono::duration<Rep, Period> delay) {
    put(item{due_after(clock::now(), delay), checked<task>("post_delayed", std::forward<F>(f))});
  }
  // Any thread. The same, at that time of the steady clock at the earliest; a time in the past is
  // treated like any other. For a time of another clock, which may be set, use post_delayed().
  template <class F, class Duration>
  void post_at(F&& f, std::chrono::time_point<clock, Duration> time) {
    put(item{delayed_due(time), checked<task>("post_at", std::forward<F>(f))});
  }

#if defined(__cpp_lib_jthread)
  // Any thread. The same for a callable that is not called if `token` has been asked to stop when
  // its turn, or its time, comes. It is destroyed then, on the runner's thread; a delayed one
  // before its time, once the runner needs the room for another. It may take the token, to check it
  // while it runs.
  template <class F>
  requires(stoppable<F>) void post(std::stop_token token, F&& f) {
    post(if_not_stopped("post", std::move(token), std::forward<F>(f)));
  }
  template <class F, class Rep, class Period>
  requires(stoppable<F>) void post_delayed(std::stop_token token, F&& f,
                                           std::chrono::duration<Rep, Period> delay) {
    post_delayed(if_not_stopped("post_delayed", std::move(token), std::forward<F>(f)), delay);
  }
  template <class F, class Duration>
  requires(stoppable<F>) void post_at(std::stop_token token, F&& f,
                                      std::chrono::time_point<clock, Duration> time) {
    post_at(if_not_stopped("post_at", std::move(token), std::forward<F>(f)), time);
  }
  // Any thread. Calls f(), or f(token), on the runner's thread again and again, the first time a
  // period after this call, until any thread asks `token` to stop. If that is the runner's thread,
  // f is not called any more then; if it is another, one call at most is in progress or about to
  // begin. f is destroyed on the runner's thread: when it would be due, or before if the runner
  // needs the room; at the end of the call that has asked; or with the runner. `how` says when the
  // next call is due: after_end, a period after the end of one; at_rate, at whole periods, except
  // for those that a late runner has missed. Each call takes its turn as a delayed task does:
  // others run between two of them. An exception of f leaves run(), and no further call follows.
  // Allocates once, not for each call. Throws what post_delayed does, and std::invalid_argument for
  // a period that is not positive.
  template <class F, class Rep, class Period>
  requires(stoppable<std::decay_t<F>&>) void post_repeating(
      std::stop_token token, F&& f, std::chrono::duration<Rep, Period> period,
      repeat how = repeat::after_end) {
    if (is_empty_callable(f)) refuse_empty("post_repeating");
    constexpr clock::time_point zero{};
    const recurrence when{clock::now(), checked_period(due_after(zero, period) - zero), how};
    repeating<std::decay_t<F>> next{*this, std::move(token), when, std::forward<F>(f)};
    put(item{when.due(), task{std::move(next)}});
  }
#endif

#if defined(__cpp_lib_coroutine)
  // Any thread. After co_await of this, a coroutine continues on the runner's thread: in its turn,
  // or after the delay, or at that time of the steady clock, at the earliest: runner_schedule.hpp.
  auto schedule() noexcept {
    return runner_schedule{[this](const auto& resume) { this->post(resume); }};
  }
  template <class Rep, class Period>
  auto schedule_after(std::chrono::duration<Rep, Period> delay) noexcept {
    return runner_schedule{
        [this, delay](const auto& resume) { this->post_delayed(resume, delay); }};
  }
  template <class Duration>
  auto schedule_at(std::chrono::time_point<clock, Duration> time) noexcept {
    return runner_schedule{[this, time](const auto& resume) { this->post_at(resume, time); }};
  }
#endif

  // Any thread. Calls f(watch_events), or f(), on the runner's thread whenever the descriptor is
  // readable (for `writing`: writable), is hung up, or has an error; the next call is posted only
  // after this one has run. A descriptor may have one watch for each of the two. The runner neither
  // reads, writes nor closes it: if f does nothing about its state, f runs again; remove a watch
  // for writing when there is nothing to write. A descriptor that is not open is reported once, as
  // closed, and its watch is removed. On Windows f runs whenever the object is signalled; by then
  // the wait has reset an auto-reset event, or acquired the mutex. From another thread, and before
  // the first run(), this is a post: it takes effect when the runner runs it. Throws
  // std::invalid_argument if f is empty, the number negative or the handle null, and on Windows for
  // `writing`; std::bad_alloc; and, from run() where this is a post, std::invalid_argument if the
  // descriptor is watched for the same already, and on Windows std::length_error if there is no
  // room for it.
  template <class F>
  void add_watch(waitable descriptor, F&& f, watch_for what = watch_for::reading) {
    if constexpr (std::is_invocable_v<std::decay_t<F>&> &&
                  !std::is_invocable_v<std::decay_t<F>&, watch_events>) {
      if (is_empty_callable(f)) refuse_empty("add_watch");
      start_watch({descriptor, what}, watch{[call = std::decay_t<F>(std::forward<F>(f))](
                                                watch_events) mutable { std::invoke(call); }});
    } else {
      start_watch({descriptor, what}, checked<watch>("add_watch", std::forward<F>(f)));
    }
  }
  // Any thread. Once this has taken effect, the watch does not run: at once on the runner's thread,
  // even in the watch itself; otherwise when the runner runs it. Has no effect without a watch.
  // Remove the watch before the descriptor is closed: its number may be reused.
  void remove_watch(waitable descriptor, watch_for what = watch_for::reading);

  // The runner's thread, not within a task. Runs tasks until quit(). Throws std::logic_error on
  // another thread or within a task; std::system_error if poll() fails; and any task's exception.
  void run();
  // The same, until there is nothing to run now, or quit(). Delayed tasks that are not due remain.
  // It waits for a post of another thread that is in progress if something that was posted before
  // this call is behind it.
  void run_until_idle();
  // Any thread. Ends the run() in progress, or, if there is none, the next one, after the tasks
  // that this thread has posted before. Later ones are left to the next run(). It ends no other
  // run(): if another quit() has ended that one meanwhile, this one has no effect, and everything
  // before it happens before the return of that run(). A run that an exception has left continues
  // with the next call. Throws std::bad_alloc.
  void quit() {
    put(item{immediately, task{[this, run = run_.called()] {
               if (run_.is_now(run)) quitting_ = true;
             }}});
  }

  // The runner's thread, or any thread while there is none. Whether there is nothing to run now, as
  // of the last poll(). Throws std::logic_error on another thread.
  [[nodiscard]] bool is_idle();
  // Any thread. Whether the calling thread is the runner's.
  [[nodiscard]] bool on_runner_thread() const noexcept {
    // [on_runner_thread] relaxed, alone: a thread that reads its own address wrote it itself. kept
    // unexercised: the runner makes system calls; the parts that it is made of, whose orders
    // matter, are checked.
    return thread_.load(std::memory_order_relaxed) == this_thread();
  }

  // In a task: records what follows, until the end of the scope, under this name in the trace. Does
  // nothing on any other thread, or if the runner does not trace. `name` must live as long as the
  // trace.
  static auto span(const char* name) noexcept {
    if constexpr (Features.trace) {
      return worker_trace<true>::span{traced_atomics::trace::current, trace_kind::span, name};
    } else {
      return worker_trace<false>::span{};
    }
  }
  // Returns what the runner did, for chrome_trace.hpp. On the runner's thread, in a task too, that
  // is what has ended by then; on another one, everything that the runner does must happen before
  // this call.
  // Throws std::logic_error on another thread while run() is running; std::bad_alloc.
  runtime_trace trace() const requires(Features.trace) {
    // [trace] relaxed, alone: only for the message of a wrong use. kept unexercised: as
    // [on_runner_thread].
    if (!on_runner_thread() && running_.load(std::memory_order_relaxed)) {
      detail::raise<std::logic_error>(
          "fencepost::task_runner::trace: run() is running on another thread, which still writes "
          "to it; call quit(), and call this after run() has returned, or post a task that calls "
          "it");
    }
    return {"task_runner", {trace_.result()}};
  }
  // What the runner has done so far, and how much there is to do. Any thread, tasks included, at
  // any time.
  task_runner_statistics statistics() const noexcept requires(Features.statistics) {
    // Read in this order: what was taken out of the queue had been put in before.
    const task_runner_counts own = counters_.values();
    return own.with(posted_.value());
  }

 private:
  struct item {
    clock::time_point due;
    task run;
  };
  class watches;
  class running_scope;
  using wake =
      wake_point<default_atomics,
                 std::conditional_t<Features.trace, detail::traced_wake_event, wake_event>>;
  struct give_back {
    void operator()(wake* unused) const noexcept;
  };
  static constexpr std::size_t cache_line = 64;
  static constexpr clock::time_point immediately = clock::time_point::min();
  // Due at once, too: distinguishes watches, for the trace and the statistics.
  static constexpr clock::time_point when_ready = immediately + clock::duration{1};

  // The time of a delayed task: later than the two above, which mean something else.
  template <class Duration>
  static clock::time_point delayed_due(std::chrono::time_point<clock, Duration> time) noexcept {
    constexpr clock::time_point first = when_ready + clock::duration{1};
    if constexpr (std::is_same_v<Duration, clock::duration>) {
      return std::max(time, first);  // exact, where a long double is not
    } else {
      return due_after(clock::time_point{}, time.time_since_epoch());
    }
  }
  // The address identifies the thread: no two threads have it at the same time.
  static const void* this_thread() noexcept {
    static thread_local constinit char here = 0;
    return &here;
  }
  template <class Callable, class F>
  static Callable checked(const char* where, F&& f) {
    static_assert(
        std::is_constructible_v<Callable, F>,
        "a task of a task_runner is called without arguments, a watch with watch_events or "
        "with nothing, and both as lvalues");
    Callable callable{std::forward<F>(f)};
    if (!callable) refuse_empty(where);
    return callable;
  }
  [[noreturn]] static void refuse_empty(const char* where);
#if defined(__cpp_lib_jthread)
  template <class F>
  static auto if_not_stopped(const char* where, std::stop_token token, F&& f) {
    if (is_empty_callable(f)) refuse_empty(where);
    return dropped_if_stopped(std::move(token), std::forward<F>(f));
  }
#endif
#if defined(__cpp_lib_jthread)
  // A task that posts itself again. Moving it moves only a pointer.
  template <class F>
  class repeating {
   public:
    template <class G>
    repeating(basic_task_runner& runner, std::stop_token token, recurrence when, G&& f)
        : state_{new state{runner, std::move(token), when, std::forward<G>(f)}} {}

    using drops_itself = void;
    bool stopped() const noexcept { return state_->token.stop_requested(); }

    clock::time_point due() const noexcept { return state_->when.due(); }

    void operator()() {
      state& of = *state_;
      if (of.token.stop_requested()) return;
      if constexpr (std::is_invocable_v<F&, std::stop_token>) {
        static_cast<void>(std::invoke(of.f, of.token));
      } else {
        static_cast<void>(std::invoke(of.f));
      }
      if (of.token.stop_requested()) return;
      of.when.ended(clock::now());
      of.runner.put(item{of.when.due(), task{std::move(*this)}});
    }

   private:
    struct state {
      basic_task_runner& runner;
      const std::stop_token token;
      recurrence when;
      F f;
    };
    std::unique_ptr<state> state_;
  };
  static clock::duration checked_period(clock::duration period);
#endif
  void put(item&& next) {
    if (on_runner_thread()) {
      inbox_.push(std::move(next));
      counters_.count(&task_runner_counts::posted);
    } else if constexpr (Features.statistics) {
      posted_.count();  // before the post: after it the runner may be destroyed
      detail::attempt_or_undo([&] { inbox_.post(std::move(next)); }, [&] { posted_.take_back(); });
    } else {
      inbox_.post(std::move(next));
    }
  }
  void start_watch(detail::watched_object<waitable> object, watch&& f);

  void enter(const char* what);
  bool turn(bool may_sleep);
  void run_one(task& next, const char* name);
  void run_posted();
  void run_delayed();
  void poll(bool may_sleep);
  void post_ready();
  bool nothing_ready();
  bool nothing_left();
  bool work_comes();
  int milliseconds_to_sleep() const noexcept;

  const unsigned batch_;
  // From a pool that is never freed: after this runner is destroyed, a poster may still be about to
  // wake it, or the next user of the wake point.
  std::unique_ptr<wake, give_back> wake_;
  task_inbox<item, wake> inbox_;
  // Posts by threads other than the runner's.
  [[no_unique_address]] shared_counter<Features.statistics, cache_line> posted_;
  std::atomic<const void*> thread_{nullptr};
  std::atomic<bool> running_{false};  // for the errors
  run_number<> run_;
  // Accessed by the runner's thread only.
  bool quitting_ = false;
  unsigned looks_;  // for work, before the next sleep
  delayed_tasks<task> delayed_;
  std::unique_ptr<watches> watches_;
  std::optional<watchdog::subject> watched_;
  [[no_unique_address]] worker_counters<task_runner_counts, Features.statistics> counters_;
  [[no_unique_address]] worker_trace<Features.trace> trace_;
};

using task_runner = basic_task_runner<>;
using traced_task_runner = basic_task_runner<task_runner_features{.trace = true}>;
using counted_task_runner = basic_task_runner<task_runner_features{.statistics = true}>;

extern template class basic_task_runner<task_runner_features{}>;
extern template class basic_task_runner<task_runner_features{.trace = true}>;
extern template class basic_task_runner<task_runner_features{.statistics = true}>;
extern template class basic_task_runner<task_runner_features{.trace = true, .statistics = true}>;

}  // namespace fencepost
