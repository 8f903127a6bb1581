// A slot of a task deque: a task, its result in the same bytes, and the thief that runs it.
//
//             steal()                   complete()
//    waiting ----------> a thief's name ------------> completed
//       ^                                                 |
//       +-------------------------------------------------+
//                            retire()
//
// A slot is `waiting` from the beginning, and again once its stolen task is retired: a push, and a
// pop of a task that was not stolen, need not write the state. Between the exchange by which a
// thief takes a slot and the store of its name the slot is still `waiting`: an owner that knows the
// task to be stolen waits until the state changes.
//
// Threads: the thief that took the slot uses task and complete(); the owner of the deque, after
// pop() has reported the task as stolen, uses thief() and completed(), and task once completed()
// has returned true.
//
// Claims: what the thief did before complete() is visible to the owner after completed() has
// returned true (tail_split/result_reaches_owner; found wrong with a relaxed completion and
// without the acquire fence). Costs: 64 bytes; no read-modify-write, no fence but completed()'s.
// Source: Lace's task record.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <type_traits>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class Task, class P = default_atomics>
class alignas(64) task_slot {  // One slot: see above.
  static_assert(std::is_trivially_copyable_v<Task>, "a task is copied as bytes");
  static_assert(sizeof(Task) <= 56 && alignof(Task) <= 8,
                "a task fits a slot: a function pointer and 48 bytes; keep more elsewhere and "
                "point to it");

 public:
  // The task; once completed, the result that overwrote it.
  typename P::template plain<Task> task;

  // Thief: marks the task as done.
  // [complete] release, with [completed], [completed.fence]: the owner then observes the result.
  void complete() noexcept { state_.store(completed_state, std::memory_order_release); }

  // Owner: whether the thief is done.
  bool completed() const noexcept {
    // [completed] relaxed, with [complete]: the fence follows, so that polling costs none.
    if (state_.load(std::memory_order_relaxed) != completed_state) return false;
    // [completed.fence] acquire, with [complete]: the result is visible.
    P::fence(std::memory_order_acquire);
    return true;
  }

  // Owner: the name that the thief gave to steal(); null while it is not yet written and once the
  // task is completed. The object that it names must exist before the first steal (set up before
  // the threads start, say) and outlive the last.
  void* thief() const noexcept {
    // [thief] relaxed, with [name_thief]: orders nothing.
    const std::uintptr_t state = state_.load(std::memory_order_relaxed);
    return state > completed_state ? reinterpret_cast<void*>(state) : nullptr;
  }

 private:
  template <class, class, template <class> class, template <class> class>
  friend class tail_split;

  static constexpr std::uintptr_t waiting_state = 0, completed_state = 1;

  // [retired] relaxed, alone: the owner's own store, which reaches the next thief with the next
  // task.
  void retired() noexcept { state_.store(waiting_state, std::memory_order_relaxed); }
  void name_thief(void* thief) noexcept {
    // [name_thief] relaxed, with [thief]: orders nothing.
    state_.store(reinterpret_cast<std::uintptr_t>(thief), std::memory_order_relaxed);
  }

  typename P::template atomic<std::uintptr_t> state_{waiting_state};
};

static_assert(sizeof(task_slot<std::array<std::uint64_t, 7>>) == 64, "one slot, one cache line");

}  // namespace fencepost
