// What fork-join workers do when they have no task of their own: where they look for one, how they
// wait, and how the runtime ends. It starts no threads: fork_join.hpp does, and a checker runs the
// same loops on its own threads.
//
//   a worker without a task            a worker whose task was stolen
//     1. a frame that all join           1. a frame that all join
//     2. steals from one at random       2. steals from its thief: leapfrogging
//     3. a task of run()                 3. after 32 times in vain, from one at random
//     4. after 256 times in vain,        4. yields
//        looks at all, and sleeps
//
// A deque's owner keeps its tasks to itself until a thief asks. So a thief asks each owner (steal()
// does) after it has announced that it is about to sleep; and an owner that answers, or shares a
// first task, wakes a sleeper. A request stays until it has made the owner share something. A thief
// that leaves something behind wakes the next one, and a thief that takes the last task asks for
// more on behalf of the sleepers; it runs its task after that. No wake-up depends on a time-out.
//
// Threads: each worker has a thread of its own, and only that thread calls functions that take the
// worker. Any thread that is not a worker's: submit(), close(). Construction and destruction come
// before and after all.
//
// Claims (fork_join/…): see fork_join.hpp.
//
// Costs, if no thread sleeps: a task of run(), nine locked instructions and two fences (three if it
// is the last unfinished one); sharing a first task, and answering a thief, a fence and a load.
// Source: Lace 1.6 (LACE-26, 28, 32 to 49, 55 to 61), with the wake before the stolen task and the
// order of sync/event_count.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/runtime/fork_join_frames.hpp"
#include "fencepost/runtime/fork_join_search.hpp"
#include "fencepost/runtime/fork_join_worker.hpp"
#include "fencepost/runtime/victim_choice.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/event_count.hpp"
#include "fencepost/sync/rundown.hpp"

namespace fencepost {

template <class P = default_atomics, fork_join_features Features = fork_join_features{}>
class fork_join_core {
 public:
  using worker = basic_fork_join_worker<P, Features>;

  // A task from outside; it is on the stack of the thread that waits for it.
  class submission {
   public:
    using action = void (*)(submission&, worker&) noexcept;
    explicit submission(action how) noexcept : run_{how} {}
    // Returns once the task has run; sleeps after `spins` polls. What the task did is visible then.
    void wait(std::uint32_t spins = completion<P>::default_spins) noexcept { done_.wait(spins); }

   private:
    friend class fork_join_core;
    const typename P::template plain<action> run_;
    completion<P> done_;
  };

  // `nodes`: the memory node of each worker; empty: they share one. Throws std::invalid_argument
  // and std::length_error as frame_handshake does, what tail_split and scratch_arena throw, and
  // std::bad_alloc.
  fork_join_core(std::uint32_t workers, std::uint32_t tasks, const scratch_options& scratch,
                 const fork_join_search& search = {}, const std::vector<std::uint32_t>& nodes = {});
  ~fork_join_core();
  fork_join_core(const fork_join_core&) = delete;
  fork_join_core& operator=(const fork_join_core&) = delete;

  std::uint32_t workers() const noexcept { return count_; }
  worker& at(std::uint32_t index) noexcept { return *(first_ + index); }
  bool owns(const worker& one) const noexcept { return one.core_ == this; }

  // Worker. Runs what it finds until the core is closed and all that was submitted has run.
  void work(worker& me) noexcept;

  // Any other thread. Gives a task to the workers; false, and nothing has changed, if the core is
  // closed. What this thread did before is visible to the task. Waits if Features.submissions
  // tasks are waiting already.
  [[nodiscard]] bool submit(submission& added) noexcept;
  // Any other thread. Refuses submissions from now on; the workers leave when all has run.
  void close() noexcept;

  // Any thread, at any time. What was counted so far, summed over the workers; or by one worker.
  fork_join_statistics statistics() const noexcept;
  fork_join_statistics statistics(std::uint32_t index) const noexcept;

 protected:  // the steps, for scenarios
  using slot = typename worker::slot;
  // The result of an attempt to steal, and the worker from whose deque it was.
  struct theft : worker::deque::theft {
    worker* from;  // unwatched: passed by value.
  };
  theft steal(worker& me, worker& victim) noexcept;
  void run_stolen(worker& me, const theft& stolen) noexcept;
  template <class Done>
  void look_for_work(worker& me, Done done, bool outermost) noexcept;
  bool run_submitted(worker& me) noexcept;
  event_count<P>& sleepers() noexcept { return idle_; }

 private:
  friend worker;

  static constexpr std::uint32_t leaps_before_random = 32;
  static constexpr std::size_t cache_line = 64;

  template <class Done>
  bool look_everywhere(worker& me, Done done, bool outermost) noexcept;
  enum class sight : std::uint8_t { nothing, another, work };
  sight look_once(worker& me, bool outermost, bool announced) noexcept;
  void await_thief(worker& me) noexcept;

  std::uint32_t pause_between_attempts(std::uint32_t pauses) const noexcept;
  worker& victim_of(worker& me) noexcept { return at(victims_.next(me.index_, me.attempts_)); }
  bool steal_and_run(worker& me) noexcept;
  void wake_one(worker& me) noexcept;

  // unwatched: never changed.
  const std::uint32_t count_;
  const fork_join_search search_;
  const victim_choice victims_;
  worker* const first_;  // of count_ workers

  fork_join_frames<P, worker> frames_;
  external_slots<submission, P, Features.submissions> submitted_;
  event_count<P> room_;  // where submitters wait for a slot
  rundown<P> rundown_;
  alignas(cache_line) event_count<P> idle_;
  typename P::template atomic<bool> closing_{false};
  alignas(cache_line) typename P::template atomic<std::uint32_t> unfinished_{0};  // submitted
};

template <class P, fork_join_features Features>
fork_join_core<P, Features>::fork_join_core(std::uint32_t workers, std::uint32_t tasks,
                                            const scratch_options& scratch,
                                            const fork_join_search& search,
                                            const std::vector<std::uint32_t>& nodes)
    : count_{workers},
      search_{search},
      victims_{workers, search.near_steals, nodes},
      first_{std::allocator<worker>{}.allocate(workers)},
      frames_{workers, search.spins} {
  std::uint32_t made = 0;
  detail::attempt_or_undo(
      [&] {
        for (; made < workers; ++made) {
          scratch_options options = scratch;
          options.name += " of worker " + std::to_string(made);
          ::new (static_cast<void*>(first_ + made)) worker(*this, made, tasks, std::move(options));
        }
      },
      [&] {
        std::destroy_n(first_, made);
        std::allocator<worker>{}.deallocate(first_, workers);
      });
}

template <class P, fork_join_features Features>
fork_join_core<P, Features>::~fork_join_core() {
  std::destroy_n(first_, count_);
  std::allocator<worker>{}.deallocate(first_, count_);
}

template <class P, fork_join_features Features>
void fork_join_core<P, Features>::work(worker& me) noexcept {
  look_for_work(
      me,
      [this]() noexcept {
        // [work.closing] acquire, with [close]: no submission that was let in is overlooked.
        // [work.unfinished] relaxed, with [submit], [finish]: what the tasks did is published by
        // their own completion.
        return closing_.load(std::memory_order_acquire) &&
               unfinished_.load(std::memory_order_relaxed) == 0;
      },
      true);
}

// `outermost`: no task is below this loop on the stack; only then does it take tasks of run().
template <class P, fork_join_features Features>
template <class Done>
void fork_join_core<P, Features>::look_for_work(worker& me, Done done, bool outermost) noexcept {
  std::uint32_t in_vain = 0;
  std::uint32_t pauses = 1;
  while (!done()) {
    if (in_vain < search_.attempts) {
      if (frames_.join(me) || steal_and_run(me) || (outermost && run_submitted(me))) {
        in_vain = 0;
        pauses = 1;
      } else {
        ++in_vain;
        pauses = pause_between_attempts(pauses);
      }
    } else if (look_everywhere(me, done, outermost)) {
      in_vain = 0;
    }
  }
}

// Yields, or pauses that many times; returns how many times to pause next.
template <class P, fork_join_features Features>
inline std::uint32_t fork_join_core<P, Features>::pause_between_attempts(
    std::uint32_t pauses) const noexcept {
  if (search_.pauses == 0) {
    P::yield();
    return 1;
  }
  for (std::uint32_t each = 0; each < pauses; ++each) P::spin_pause();
  return search_.pauses_after(pauses);
}

// Steals from a worker chosen at random, and runs the task. Also true if another thread was faster.
template <class P, fork_join_features Features>
bool fork_join_core<P, Features>::steal_and_run(worker& me) noexcept {
  if (count_ == 1) return false;
  const theft stolen = steal(me, victim_of(me));
  run_stolen(me, stolen);
  return stolen.outcome != steal_outcome::no_work;
}

// The last look before this worker sleeps, and the sleep. True if it has found something and has
// run it.
template <class P, fork_join_features Features>
template <class Done>
bool fork_join_core<P, Features>::look_everywhere(worker& me, Done done, bool outermost) noexcept {
  me.scratch_.idle();
  const auto seen = idle_.prepare_wait();
  if (done() || frames_.pending()) {
    idle_.cancel_wait();
    return frames_.join(me);
  }
  sight found = look_once(me, outermost, true);
  if (found == sight::nothing) {
    me.counters_.count(&fork_join_statistics::sleeps);
    [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::park, "park");
    idle_.wait(seen);
    return false;
  }
  // Another thread is about to submit something, or was faster. Until that is over this worker
  // looks without being announced: a look that finds nothing new then writes nothing.
  while (found == sight::another && !done() && !frames_.pending()) {
    P::spin_pause();
    found = look_once(me, outermost, false);
  }
  return found == sight::work;
}

// Looks at all workers once, and runs what it finds. `announced`: this worker is counted as a
// sleeper, and remains so if there is nothing.
template <class P, fork_join_features Features>
auto fork_join_core<P, Features>::look_once(worker& me, bool outermost, bool announced) noexcept
    -> sight {
  bool met_another = false;
  for (std::uint32_t index = 0; index < count_; ++index) {
    if (index == me.index_) continue;
    const theft stolen = steal(me, at(index));
    if (stolen.task != nullptr) {
      if (announced) idle_.cancel_wait();
      run_stolen(me, stolen);
      return sight::work;
    }
    met_another |= stolen.outcome == steal_outcome::retry;
  }
  if (!met_another && !(outermost && submitted_.any())) return sight::nothing;
  if (announced) idle_.cancel_wait();
  return outermost && run_submitted(me) ? sight::work : sight::another;
}

// Returns when the thief of this worker's top task is done.
template <class P, fork_join_features Features>
void fork_join_core<P, Features>::await_thief(worker& me) noexcept {
  const slot& mine = me.deque_.top();
  [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::wait, "sync");
  std::uint32_t in_vain = 0;
  for (typename P::back_off turn; !mine.completed();) {
    if (frames_.join(me)) continue;
    theft stolen{{steal_outcome::no_work}, nullptr};
    if (search_.leapfrog) {
      if (void* const thief = mine.thief()) {
        stolen = steal(me, *static_cast<worker*>(thief));
        me.counters_.count_leap(stolen.outcome);
      }
    }
    if (stolen.outcome == steal_outcome::no_work && search_.random_steals &&
        ++in_vain == leaps_before_random) {
      in_vain = 0;
      stolen = steal(me, victim_of(me));
    }
    if (stolen.task != nullptr) {
      run_stolen(me, stolen);
      in_vain = 0;
      turn = {};
    } else {
      turn();
      P::spin_pause();
    }
  }
}

template <class P, fork_join_features Features>
inline auto fork_join_core<P, Features>::steal(worker& me, worker& victim) noexcept -> theft {
  const auto asked = [&me]() noexcept { me.counters_.count(&fork_join_statistics::requests); };
  const theft result{victim.deque_.steal(&me, asked), &victim};
  me.counters_.count_steal(result.outcome);
  if (result.task != nullptr) me.trace_.moment(trace_kind::steal, "steal", victim.index_);
  return result;
}

// Takes care of the sleepers first, which need not wait for this task. If more is shared, it wakes
// one. If not, it asks again: one request serves all thieves, and this one has taken the answer.
template <class P, fork_join_features Features>
void fork_join_core<P, Features>::run_stolen(worker& me, const theft& stolen) noexcept {
  if (stolen.task == nullptr) return;
  if (stolen.outcome == steal_outcome::stolen) {
    wake_one(me);
  } else if (idle_.anyone_asleep() && stolen.from->deque_.ask()) {
    me.counters_.count(&fork_join_statistics::requests);
  }
  {
    const scratch_scope memory{me.scratch_};
    [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::task, "task");
    auto& task = stolen.task->task.write();
    task.run(me, task);
  }
  stolen.task->complete();
}

// Wakes no worker for the submissions that are left: each has woken one when it was made, and a
// worker that has gone to sleep since has looked for them first.
template <class P, fork_join_features Features>
bool fork_join_core<P, Features>::run_submitted(worker& me) noexcept {
  if (!submitted_.any()) return false;
  submission* const found = submitted_.take(me.index_);
  if (found == nullptr) return false;
  me.counters_.count(&fork_join_statistics::external);
  room_.notify_one();
  {
    const scratch_scope memory{me.scratch_};
    [[maybe_unused]] const auto recorded = me.trace_.begin(trace_kind::task, "run");
    found->run_.get()(*found, me);
  }
  // [finish] relaxed, with [work.unfinished]: ordered by the fence.
  if (unfinished_.fetch_sub(1, std::memory_order_relaxed) == 1) {
    // [finish.fence] seq_cst, with [close]: store buffering, with the fence of its notify: either
    // this worker observes that the core is closing, or close() comes later, and the workers that
    // it wakes observe the count.
    P::fence(std::memory_order_seq_cst);
    // [finish.closing] relaxed, with [close]: ordered by the fence.
    if (closing_.load(std::memory_order_relaxed)) idle_.notify_all();
  }
  found->done_.complete();
  return true;
}

template <class P, fork_join_features Features>
inline void fork_join_core<P, Features>::wake_one(worker& me) noexcept {
  if (count_ == 1) return;
  me.counters_.count(&fork_join_statistics::wakes);
  if constexpr (Features.trace) {
    if (idle_.sleepers() != 0) me.trace_.moment(trace_kind::wake, "wake");
  }
  idle_.notify_one();
}

template <class P, fork_join_features Features>
bool fork_join_core<P, Features>::submit(submission& added) noexcept {
  if (!rundown_.try_enter()) return false;
  // [submit] relaxed, with [work.unfinished]: the rundown publishes the count to close(), which
  // publishes it to the workers.
  unfinished_.fetch_add(1, std::memory_order_relaxed);
  room_.await([&]() noexcept { return submitted_.try_submit(added); });
  idle_.notify_one();
  rundown_.leave();
  return true;
}

template <class P, fork_join_features Features>
void fork_join_core<P, Features>::close() noexcept {
  rundown_.close();
  // [close] release, with [work.closing], [finish.closing], [finish.fence]: it passes on the counts
  // of the submissions that were let in, which the rundown's close() has acquired.
  closing_.store(true, std::memory_order_release);
  idle_.notify_all();
}

template <class P, fork_join_features Features>
fork_join_statistics fork_join_core<P, Features>::statistics() const noexcept {
  fork_join_statistics sum;
  for (std::uint32_t index = 0; index < count_; ++index) sum += statistics(index);
  sum.waiting = submitted_.reserved();
  return sum;
}

template <class P, fork_join_features Features>
fork_join_statistics fork_join_core<P, Features>::statistics(std::uint32_t index) const noexcept {
  static_assert(Features.statistics, "nothing is counted: fork_join_features{.statistics = true}");
  const worker& each = *(first_ + index);
  fork_join_statistics counts = each.counters_.values();
  counts.shared = each.deque_.shared();
  return counts;
}

// The functions of a worker that use its core.

template <class P, fork_join_features Features>
std::uint32_t basic_fork_join_worker<P, Features>::workers() const noexcept {
  return core_->workers();
}

template <class P, fork_join_features Features>
void basic_fork_join_worker<P, Features>::split_moved(split_move how) noexcept {
  counters_.count_split(how);
  if (how != split_move::lowered) core_->wake_one(*this);
}

template <class P, fork_join_features Features>
void basic_fork_join_worker<P, Features>::await_thief() noexcept {
  core_->await_thief(*this);
}

template <class P, fork_join_features Features>
void basic_fork_join_worker<P, Features>::poll() noexcept {
  check_here();
  core_->frames_.join(*this);
  deque_.answer(split_watch{this});
}

template <class P, fork_join_features Features>
void basic_fork_join_worker<P, Features>::share() noexcept {
  check_here();
  deque_.share_all(split_watch{this});
}

}  // namespace fencepost
