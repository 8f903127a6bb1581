// A worker of a fork-join runtime, as its tasks use it. It spawns tasks, and syncs with them in
// the reverse order; in between, workers that have nothing to do may steal them.
//
//   long fib(fork_join_worker& me, int n) noexcept {
//     if (n < 2) return n;
//     auto left = me.spawn([n](fork_join_worker& who) noexcept { return fib(who, n - 1); });
//     const long right = fib(me, n - 2);
//     return me.sync(left) + right;
//   }
//
// A task is any callable that takes a worker, the one that runs it, or nothing. Callable and result
// lie in the deque's slot (48 bytes each), or in the worker's scratch memory if they are larger.
//
// Threads: the worker's own thread, in its tasks: each task uses the worker that it was given,
// never that of the task that spawned it (checked without NDEBUG).
// For any threads X and Y: what X did before it spawned a task is visible to the task, which Y
// runs; what the task did is visible to X when sync() has returned or thrown, or drop() returned.
//
// Claims: fork_join.hpp.
//
// Misuse of a handle ends the program with a message, in every build: a sync for the second time,
// without a task, out of order, or by another worker. A handle that is destroyed with its task
// drops the task if an exception is the reason, and with NDEBUG; otherwise that is misuse too.
//
// Progress: spawn() is wait-free; sync() too, unless a thief has the task: then this worker steals
// back from the thief, or from others, until the thief is done.
// Costs: spawn and sync of a task that no thief stole, about 1 ns together: no locked instruction,
// no fence on x86, no allocation. Tasks, and functions that spawn, that are noexcept are twice as
// fast: without that, the handle's destructor keeps compilers from inlining the recursion.
// Source: T. van Dijk and J. van de Pol, "Lace" (2014), as of Lace 1.6 (LACE-24 to 28).
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/attributes.hpp"
#include "fencepost/deque/tail_split.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/fork_join_features.hpp"
#include "fencepost/runtime/fork_join_statistics.hpp"
#include "fencepost/runtime/fork_join_task.hpp"
#include "fencepost/runtime/joined_results.hpp"
#include "fencepost/runtime/kept_tasks.hpp"
#include "fencepost/runtime/spawned.hpp"
#include "fencepost/runtime/victim_choice.hpp"
#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost {

template <class P, fork_join_features Features>
class fork_join_core;
template <class P, class Worker>
class fork_join_frames;

template <class P = default_atomics, fork_join_features Features = fork_join_features{}>
class basic_fork_join_worker;

namespace detail {

// Returns a copy, to be compared in place of `p`: where two pointers are equal, compilers use
// whichever they like in place of both.
template <class T>
FENCEPOST_INLINE T* to_be_compared(T* p) noexcept {
#if defined(__GNUC__)
  asm("" : "+r"(p));
#endif
  return p;
}

}  // namespace detail

template <class P, fork_join_features Features>
class basic_fork_join_worker {
 public:
  using task = fork_join_task<basic_fork_join_worker>;

  basic_fork_join_worker(const basic_fork_join_worker&) = delete;
  basic_fork_join_worker& operator=(const basic_fork_join_worker&) = delete;

  // Spawns a task, which may run at any time until it is synced, here or on another worker; the
  // callable is moved or copied in, and called once, as an rvalue. Throws what moving it throws,
  // and scratch_error if it is large and there is no room; then nothing has changed. Tasks for
  // which the deque has no room are kept in scratch memory, where no thief finds them.
  template <class F>
  spawned<std::decay_t<F>, basic_fork_join_worker> spawn(F&& f);

  // Returns the result of the task that was spawned last and is neither synced nor dropped: runs
  // it, or waits for its thief. Throws what the task threw.
  template <class F>
  detail::task_result<F, basic_fork_join_worker> sync(spawned<F, basic_fork_join_worker>& last);
  template <class F>
  detail::task_result<F, basic_fork_join_worker> sync(spawned<F, basic_fork_join_worker>&& last) {
    return sync(last);
  }
  // Discards the task, which is not run unless it was stolen; then this waits for the thief, and
  // destroys the result, or the exception.
  template <class F>
  void drop(spawned<F, basic_fork_join_worker>& last) noexcept;
  template <class F>
  void drop(spawned<F, basic_fork_join_worker>&& last) noexcept {
    drop(last);
  }

  // Calls f(*this), or f().
  template <class F>
  decltype(auto) call(F&& f) {
    return call_with(std::forward<F>(f), *this);
  }

  // Runs all of them, perhaps concurrently: the first here, the others as spawned tasks. Returns
  // their results as a tuple, with std::monostate for void; nothing if none has a result. Throws
  // what the first throws, otherwise what the last of the others that fails throws; the rest are
  // dropped.
  template <class F, class... Others>
  auto join(F&& first, Others&&... others);

  // Every worker calls a copy of f, all at the same time; returns when all calls have returned.
  // Only the worker that calls this needs to be in a task; the others join when they look for work.
  // An exception that leaves f ends the program, since the other workers wait for that call.
  template <class F>
  void together(F f) noexcept;
  // In a function that together() calls, not in a task that it spawns: returns once every worker
  // has called it as many times. For any workers X and Y: everything sequenced before X's call
  // happens before the return of Y's. Blocks; a worker that waits here runs nothing else.
  void meet() noexcept;
  // Runs f in a new frame, and returns its result: until it is done, every worker has an empty
  // deque in place of its own, and suspends what it looks or waits for. Throws what f throws.
  template <class F>
  detail::task_result<F, basic_fork_join_worker> new_frame(F&& f);

  // For a task that runs for long without sync: joins the others in together() and new_frame(),
  // and answers thieves that have asked for work.
  void poll() noexcept;

  // True if no task that this worker has spawned is left for others to take: then a task that can
  // be divided should be, if others are to help. Others may take the last task at any moment, so
  // false is a guess.
  bool wants_tasks() const noexcept { return kept_.empty() && deque_.drained(); }

  // Lets others take all tasks that this worker has spawned, without being asked: for use before
  // something that runs for long without spawn, sync and poll.
  void share() noexcept;

  // With fork_join_features{.trace = true}: records what follows, until the end of the scope, under
  // this name in the trace; otherwise does nothing. `name` must live as long as the trace.
  auto span(const char* name) noexcept {
    check_here();
    return trace_.begin(trace_kind::span, name);
  }
  worker_trace<Features.trace>& trace() noexcept { return trace_; }

  // Memory that is released when the task ends that a thief, or run(), has begun; use scratch_scope
  // to release it earlier. Neither may be reset while a task that was spawned after the mark is not
  // synced.
  scratch_arena& scratch() noexcept { return scratch_; }

  std::uint32_t index() const noexcept { return index_; }  // 0 … workers - 1
  std::uint32_t workers() const noexcept;

  // The worker whose thread this is; null on others. Set by the code that starts the threads.
  static inline constinit thread_local basic_fork_join_worker* current = nullptr;

 private:
  template <class F, class W>
  friend class spawned;
  friend class fork_join_core<P, Features>;
  friend class fork_join_frames<P, basic_fork_join_worker>;
  using core = fork_join_core<P, Features>;
  template <class Slot>
  using slots = std::conditional_t<std::is_same_v<P, default_atomics>, reserved_slots<Slot>,
                                   heap_slots<Slot>>;
  template <class Policy>
  using word = std::conditional_t<Features.word == fork_join_word::halves, lace_split_word<Policy>,
                                  iso_split_word<Policy>>;
  using deque = tail_split<task, P, word, slots>;
  using slot = typename deque::slot;

  basic_fork_join_worker(core& pool, std::uint32_t index, std::uint32_t tasks,
                         scratch_options scratch);

  template <class F>
  auto join_all(F&& first);
  template <class F, class G, class... Others>
  auto join_all(F&& first, G&& other, Others&&... others);

  // Tells the core when there is something to steal. unwatched: passed to a call.
  struct split_watch {
    basic_fork_join_worker* me;
    void operator()(split_move how) const noexcept { me->split_moved(how); }
  };
  void split_moved(split_move how) noexcept;

  template <class F, class G>
  const void* push(G&& f);

  // Common to sync() and drop(): checks that this worker may take the task, and empties the handle.
  template <class F>
  void claim(spawned<F, basic_fork_join_worker>& last, const char* misuse) noexcept;
  void await_thief() noexcept;
  bool is_top(const void* at) const noexcept;
  void check_kept(const void* at) const noexcept;
  void check_here() const noexcept;
  // The next two take their arguments by value, so that handles and callables whose address is not
  // taken stay in registers.
  template <class F>
  FENCEPOST_NOINLINE_COLD void abandon(
      const void* at, typename spawned<F, basic_fork_join_worker>::boxed_type box) noexcept;
  template <class F>
  FENCEPOST_NOINLINE_COLD const void* keep(F f) {
    return kept_.push(scratch_, std::move(f));
  }
  template <class F>
  FENCEPOST_NOINLINE detail::task_result<F, basic_fork_join_worker> sync_stolen();
  template <class F>
  detail::task_result<F, basic_fork_join_worker> sync_in_slot(const void* at);
  template <class F>
  void drop_in_slot(const void* at) noexcept;
  template <class F>
  void unbox(detail::scratch_task<F, detail::task_result<F, basic_fork_join_worker>>* box) noexcept;

  // unwatched: this worker's own, or unchanged since before the threads were started. What push and
  // pop access is at the end of the deque, and what an allocation accesses at the beginning of the
  // arena, on the same cache line: the deque leaves room there if the compiler honours the
  // attribute.
  [[no_unique_address]] deque deque_;
  scratch_arena scratch_;
  core* const core_;
  const std::uint32_t index_;
  victim_attempts attempts_;
  kept_tasks kept_;  // for which the deque had no room
  [[no_unique_address]] fork_join_counters<Features.statistics> counters_;
  [[no_unique_address]] worker_trace<Features.trace> trace_;
};

using fork_join_worker = basic_fork_join_worker<>;

template <class P, fork_join_features Features>
basic_fork_join_worker<P, Features>::basic_fork_join_worker(core& pool, std::uint32_t index,
                                                            std::uint32_t tasks,
                                                            scratch_options scratch)
    : deque_{tasks}, scratch_{std::move(scratch)}, core_{&pool}, index_{index}, attempts_{index} {}

template <class P, fork_join_features Features>
inline void basic_fork_join_worker<P, Features>::check_here() const noexcept {
#if !defined(NDEBUG)
  if (current != nullptr && current != this) {
    detail::fork_join_misuse(
        "a worker was used by a task that another worker runs; a task uses the worker that it is "
        "given, not the one of the task that spawned it: take it as a parameter");
  }
#endif
}

template <class P, fork_join_features Features>
template <class F>
inline auto basic_fork_join_worker<P, Features>::spawn(F&& f)
    -> spawned<std::decay_t<F>, basic_fork_join_worker> {
  using callable = std::decay_t<F>;
  using handle = spawned<callable, basic_fork_join_worker>;
  check_here();
  if constexpr (handle::in_slot) {
    return {this, push<callable>(std::forward<F>(f)), {}};
  } else {
    using box = detail::scratch_task<callable, typename handle::result>;
    const scratch_mark before = scratch_.mark();
    box* there = nullptr;
    return detail::attempt_or_undo(
        [&]() -> handle {
          void* const place = scratch_.allocate(sizeof(box), alignof(box));
          there = ::new (place) box(before, scratch_.mark(), std::forward<F>(f));
          return {this, push<typename handle::in_slot_type>(typename handle::in_slot_type{there}),
                  there};
        },
        [&] {
          if (there != nullptr) std::destroy_at(there);
          scratch_.reset(before);
        });
  }
}

template <class P, fork_join_features Features>
template <class F, class G>
inline const void* basic_fork_join_worker<P, Features>::push(G&& f) {
  counters_.count(&fork_join_statistics::tasks);
  // Read before the push: afterwards the load would wait for the store.
  const slot* const at = deque_.head();
  const auto fill = [&f](task& in_place) {
    in_place.template put<F>(std::forward<G>(f));
    in_place.run = &task::template run_here<F>;
  };
  if (!deque_.try_emplace(fill, split_watch{this})) [[unlikely]] {
    return keep<F>(F(std::forward<G>(f)));
  }
  return at + 1;
}

template <class P, fork_join_features Features>
template <class F>
inline void basic_fork_join_worker<P, Features>::claim(spawned<F, basic_fork_join_worker>& last,
                                                       const char* misuse) noexcept {
  check_here();
  if (last.owner_ != this) [[unlikely]] {
    detail::fork_join_misuse(last.owner_ == nullptr
                                 ? misuse
                                 : "a task was synced, or dropped, by a worker that did not spawn "
                                   "it: only the task that spawned it may do so");
  }
  last.owner_ = nullptr;
}

template <class P, fork_join_features Features>
template <class F>
inline auto basic_fork_join_worker<P, Features>::sync(spawned<F, basic_fork_join_worker>& last)
    -> detail::task_result<F, basic_fork_join_worker> {
  using handle = spawned<F, basic_fork_join_worker>;
  claim(last, "sync() on a handle without a task: it was synced, dropped or moved from before");
  if constexpr (handle::in_slot) {
    return sync_in_slot<F>(last.at_);
  } else {
    struct unboxing {
      basic_fork_join_worker& me;
      typename handle::boxed_type box;
      ~unboxing() { me.template unbox<F>(box); }
    };
    const unboxing at_the_end{*this, last.boxed_};
    sync_in_slot<typename handle::in_slot_type>(last.at_);
    return detail::give<typename handle::result>(*last.boxed_->result);
  }
}

template <class P, fork_join_features Features>
template <class F>
inline void basic_fork_join_worker<P, Features>::drop(
    spawned<F, basic_fork_join_worker>& last) noexcept {
  using handle = spawned<F, basic_fork_join_worker>;
  claim(last, "drop() on a handle without a task: it was synced, dropped or moved from before");
  drop_in_slot<typename handle::in_slot_type>(last.at_);
  if constexpr (!handle::in_slot) unbox<F>(last.boxed_);
}

template <class P, fork_join_features Features>
template <class F>
void basic_fork_join_worker<P, Features>::abandon(
    const void* at, typename spawned<F, basic_fork_join_worker>::boxed_type box) noexcept {
#if !defined(NDEBUG)
  if (std::uncaught_exceptions() == 0) {
    detail::fork_join_misuse("a handle was destroyed with its task: sync() or drop() it");
  }
#endif
  drop(spawned<F, basic_fork_join_worker>{this, at, box});
}

template <class P, fork_join_features Features>
inline bool basic_fork_join_worker<P, Features>::is_top(const void* at) const noexcept {
  return detail::to_be_compared(at) == deque_.head();
}

template <class P, fork_join_features Features>
inline void basic_fork_join_worker<P, Features>::check_kept(const void* at) const noexcept {
  if (at == kept_.last()) return;
  detail::fork_join_misuse(
      "tasks were synced, or dropped, out of order: the one that was spawned last comes first");
}

template <class P, fork_join_features Features>
template <class F>
inline auto basic_fork_join_worker<P, Features>::sync_in_slot(const void* at)
    -> detail::task_result<F, basic_fork_join_worker> {
  if (!is_top(at)) [[unlikely]] {
    check_kept(at);
    return call_with(kept_.pop<F>(scratch_), *this);
  }
  // The handle's pointer, not the deque's head: that is the same, but depends on every task so far,
  // since each has loaded and stored it.
  slot* const own = deque_.pop_below(static_cast<const slot*>(at), split_watch{this});
  if (own == nullptr) [[unlikely]] {
    return sync_stolen<F>();
  }
  // Moved out: the tasks that it spawns reuse the slot.
  return call_with(own->task.write().template take<F>(), *this);
}

template <class P, fork_join_features Features>
template <class F>
auto basic_fork_join_worker<P, Features>::sync_stolen()
    -> detail::task_result<F, basic_fork_join_worker> {
  await_thief();
  return deque_.top()
      .task.write()
      .template take_result<detail::task_result<F, basic_fork_join_worker>>(
          [this]() noexcept { deque_.retire(); });
}

template <class P, fork_join_features Features>
template <class F>
void basic_fork_join_worker<P, Features>::drop_in_slot(const void* at) noexcept {
  if (!is_top(at)) {
    check_kept(at);
    kept_.pop<F>(scratch_);
  } else if (slot* const own = deque_.pop(split_watch{this})) {
    own->task.write().template take<F>();
  } else {
    await_thief();
    deque_.top()
        .task.write()
        .template drop_result<detail::task_result<F, basic_fork_join_worker>>();
    deque_.retire();
  }
}

template <class P, fork_join_features Features>
template <class F>
void basic_fork_join_worker<P, Features>::unbox(
    detail::scratch_task<F, detail::task_result<F, basic_fork_join_worker>>* box) noexcept {
  const scratch_mark before = box->before, after = box->after;
  std::destroy_at(box);
  // If the task that spawned it has allocated since, that memory stays, and so does the box's.
  if (scratch_.mark() == after) scratch_.reset(before);
}

template <class P, fork_join_features Features>
template <class F, class... Others>
auto basic_fork_join_worker<P, Features>::join(F&& first, Others&&... others) {
  auto results = join_all(std::forward<F>(first), std::forward<Others>(others)...);
  if constexpr (detail::has_value<decltype(results)>) return results;
}

template <class P, fork_join_features Features>
template <class F>
auto basic_fork_join_worker<P, Features>::join_all(F&& first) {
  using result = detail::task_result<F, basic_fork_join_worker>;
  return std::tuple<detail::value_of<result>>{
      detail::call_for_value<result>([&]() -> result { return call(std::forward<F>(first)); })};
}

template <class P, fork_join_features Features>
template <class F, class G, class... Others>
auto basic_fork_join_worker<P, Features>::join_all(F&& first, G&& other, Others&&... others) {
  using result = detail::task_result<G, basic_fork_join_worker>;
  auto handle = spawn([&other](basic_fork_join_worker& me) noexcept(
                          noexcept(call_with(std::forward<G>(other), me))) -> result {
    return call_with(std::forward<G>(other), me);
  });
  auto results = join_all(std::forward<F>(first), std::forward<Others>(others)...);
  return detail::insert_second(
      std::move(results), detail::call_for_value<result>([&]() -> result { return sync(handle); }));
}

}  // namespace fencepost
