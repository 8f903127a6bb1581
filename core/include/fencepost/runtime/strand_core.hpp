// The tasks of a strand: any thread adds one, and one thread at a time, which has the turn, runs
// them, in the order in which they were added. strand.hpp gives the turn to a thread_pool.
//
//   newest_  0          idle: no task, no turn
//            1          a turn is given; no tasks but those that it has taken
//            a task     the newest of those that no turn has taken; each leads to the one before
//
//   put():       0 -> task   the caller gives a turn       task -> newer task, 1 -> task
//   run_turn():  task -> 1   takes all, reverses them, and runs them
//                1 -> 0      no task was put meanwhile: idle
//
// So there is at most one turn, and tasks are never run at the same time. A turn also ends after a
// certain number of tasks: the thread that has it passes it on, so that other jobs of that thread
// run in between.
//
// Threads: any thread, put(). The thread that has the turn, run_turn(). The owner, once, when no
// thread will put a task any more: end().
//
// Claims (strand/…):
//   tasks do not run at the same time, and each observes the one before    one_after_the_other
//   ... each once, in the order of the posts of a thread, and of posts
//       that happen before each other                            in_the_order_of_the_posts
//   an accepted task runs, even if the pool is stopped meanwhile           accepted_task_runs
//   ... by a worker that sleeps, which takes turn after turn               worker_takes_the_turns
//   the tasks that are left when the handle goes run             handle_goes_before_the_tasks
//   ... and a task may destroy it, even if its post has not returned       task_destroys_the_strand
//
// Ordering: for any threads X, Y and Z: everything sequenced before X's put() happens before the
// task, which Y runs; and everything that a task has done happens before the next one, run by Z.
// Progress: put() is lock-free; run_turn() is wait-free apart from the tasks, end() lock-free.
// Costs: put(), one locked instruction; a turn, two, and a step for each task that it takes.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/queue/injector.hpp"
#include "fencepost/runtime/pool_core.hpp"

namespace fencepost {

enum class strand_turn : std::uint8_t {
  idle,   // no task is left; the strand may have been destroyed
  more,   // there are tasks: the caller gives a turn
  ended,  // all tasks have run, and the owner has called end(): the caller destroys the strand
};

template <class P = default_atomics>
class strand_core {
 public:
  using job = pool_job<P>;
  static constexpr unsigned most_in_a_turn = 16;

  strand_core() = default;
  strand_core(const strand_core&) = delete;
  strand_core& operator=(const strand_core&) = delete;

  // Any thread. Adds a task, which belongs to the strand until it runs. True if the caller must
  // give a turn; the strand is not destroyed before that.
  [[nodiscard]] bool put(job& added) noexcept;
  // The thread that a turn was given to. Runs the oldest tasks, `most` of them at most.
  [[nodiscard]] strand_turn run_turn(unsigned most = most_in_a_turn) noexcept;
  // The owner, once. False if the strand is idle: the caller destroys it, and all that its tasks
  // did happens before. True if the last turn will report that the strand has ended: the owner must
  // not access it any more.
  [[nodiscard]] bool end() noexcept;

 private:
  using link = injector_link<job, P>;
  struct end_mark final : job {  // in the place of a task, never run
    end_mark() noexcept : job{nullptr} {}
  };
  static constexpr std::uintptr_t idle = 0, none_new = 1;

  static std::uintptr_t to_word(job& of) noexcept { return reinterpret_cast<std::uintptr_t>(&of); }
  static void lead_to(job& from, std::uintptr_t newest) noexcept {
    job* const before = newest == none_new ? nullptr : reinterpret_cast<job*>(newest);
    static_cast<link&>(from).next_.set(before);
  }
  job* take() noexcept;

  typename P::template atomic<std::uintptr_t> newest_{idle};
  typename P::template plain<job*> ready_{nullptr};  // the oldest of those taken; of the turn
  end_mark end_;                                     // unwatched: only its address and link matter
};

template <class P>
bool strand_core<P>::put(job& added) noexcept {
  // [put.newest] relaxed, alone: only the address is used, never dereferenced.
  std::uintptr_t newest = newest_.load(std::memory_order_relaxed);
  do {
    lead_to(added, newest);
    // [put] acq_rel, relaxed on failure, with [take], [rest]: publishes the task; later puts, until
    // it is taken, are read-modify-writes, and continue the release sequence. Acquire: if it finds
    // the strand idle, the turn that it gives observes the one before, whose `ready_` it reads.
  } while (!newest_.compare_exchange_weak(newest, to_word(added), std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
  return newest == idle;
}

// Takes all tasks that were put, oldest first.
template <class P>
auto strand_core<P>::take() noexcept -> job* {
  // [take] acquire, with [put], [end]: the tasks and their links are visible.
  return link::reversed(
      reinterpret_cast<job*>(newest_.exchange(none_new, std::memory_order_acquire)));
}

template <class P>
strand_turn strand_core<P>::run_turn(unsigned most) noexcept {
  job* next = ready_.get();
  if (next == nullptr) next = take();
  for (; most != 0 && next != nullptr; --most) {
    if (next == &end_) return strand_turn::ended;
    job& task = *next;
    next = static_cast<link&>(task).next_.get();
    task.run();  // which may destroy it
  }
  ready_.set(next);
  if (next != nullptr) return strand_turn::more;
  std::uintptr_t seen = none_new;
  // [rest] release, relaxed on failure, with [put], [end.look]: the next turn, and the owner that
  // finds the strand idle, observe what the tasks did. It is the last access of this turn. Strong:
  // after a spurious failure a turn would be given without a task.
  const bool rests = newest_.compare_exchange_strong(seen, idle, std::memory_order_release,
                                                     std::memory_order_relaxed);
  return rests ? strand_turn::idle : strand_turn::more;
}

template <class P>
bool strand_core<P>::end() noexcept {
  for (;;) {
    // [end.look] acquire, with [rest]: nothing of the strand is in use, and it may be destroyed.
    std::uintptr_t newest = newest_.load(std::memory_order_acquire);
    if (newest == idle) return false;
    lead_to(end_, newest);
    // [end] release, relaxed on failure, with [take]: publishes the link of the mark.
    if (newest_.compare_exchange_weak(newest, to_word(end_), std::memory_order_release,
                                      std::memory_order_relaxed)) {
      return true;
    }
  }
}

}  // namespace fencepost
