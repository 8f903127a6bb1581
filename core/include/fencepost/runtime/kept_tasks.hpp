// The tasks of a fork-join worker for which its deque has no room: a stack in the worker's scratch
// memory, where no thief finds them.
//
// Threads: the worker's own. The functions are given its scratch memory.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"
#include "fencepost/memory/scratch_arena.hpp"

namespace fencepost {

class kept_tasks {
 public:
  bool empty() const noexcept { return last_ == nullptr; }
  // Identifies the task that was pushed last, for as long as it is there; null if there is none.
  const void* last() const noexcept { return last_; }

  // Moves or copies a task in, and returns last(). Throws what that throws, and scratch_error if
  // there is no room; then nothing has changed.
  template <class F>
  const void* push(scratch_arena& scratch, F&& f);
  // Moves the task that was pushed last, of type F, out.
  template <class F>
  F pop(scratch_arena& scratch) noexcept;

 private:
  template <class F>
  struct kept {
    const void* below;
    scratch_mark before, after;
    F f;
  };

  const void* last_ = nullptr;  // a kept<F>
};

template <class F>
const void* kept_tasks::push(scratch_arena& scratch, F&& f) {
  using task = kept<std::decay_t<F>>;
  const scratch_mark before = scratch.mark();
  return detail::attempt_or_undo(
      [&]() -> const void* {
        void* const place = scratch.allocate(sizeof(task), alignof(task));
        return last_ = ::new (place) task{last_, before, scratch.mark(), std::forward<F>(f)};
      },
      [&] { scratch.reset(before); });
}

template <class F>
F kept_tasks::pop(scratch_arena& scratch) noexcept {
  auto* const last = static_cast<kept<F>*>(const_cast<void*>(last_));
  F f{std::move(last->f)};
  last_ = last->below;
  const scratch_mark before = last->before, after = last->after;
  std::destroy_at(last);
  // If the task that spawned it has allocated since, the memory stays.
  if (scratch.mark() == after) scratch.reset(before);
  return f;
}

}  // namespace fencepost
