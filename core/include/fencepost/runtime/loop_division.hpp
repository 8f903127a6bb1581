// How the workers of a fork-join runtime share a loop: how the loop calls its body, and when a
// worker gives away half of its part. parallel.hpp is the interface.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/loop_part.hpp"

namespace fencepost::detail {

template <class Body, class Worker, class... Arguments>
concept wants_worker = std::invocable<Body&, Worker&, Arguments...>;

// What a loop requires of the worker that it begins on.
template <class W>
concept loop_worker = requires(W& me) {
  me.wants_tasks();
  me.share();
  me.poll();
};
// fork_join, as far as a loop uses it.
template <class W>
concept pool_of_loop_workers = requires {
  requires loop_worker<typename W::worker>;
};

// Calls f with the worker that a loop begins on: `where`, or a worker of the pool `where`.
template <class Where, class F>
decltype(auto) with_worker(Where& where, F&& f) {
  if constexpr (loop_worker<Where>) {
    return f(where);
  } else {
    static_assert(
        pool_of_loop_workers<Where>,
        "a parallel algorithm takes a fork_join, or in its tasks the worker that the task "
        "was given; the jobs of a thread_pool are waited for by a task_group");
    if constexpr (pool_of_loop_workers<Where>) {
      return where.run([&f](typename Where::worker& me) -> decltype(auto) { return f(me); });
    }
  }
}

// Calls body(me, arguments...), or body(arguments...) if it does not take the worker.
template <class Body, class Worker, class... Arguments>
decltype(auto) call_body(Body& body, Worker& me, Arguments&&... arguments) noexcept(
    wants_worker<Body, Worker, Arguments...>
        ? std::is_nothrow_invocable_v<Body&, Worker&, Arguments...>
        : std::is_nothrow_invocable_v<Body&, Arguments...>) {
  if constexpr (wants_worker<Body, Worker, Arguments...>) {
    return std::invoke(body, me, std::forward<Arguments>(arguments)...);
  } else {
    static_assert(std::invocable<Body&, Arguments...>,
                  "a body, predicate or operation of a parallel algorithm cannot be called with "
                  "what the algorithm gives it, nor with the worker before that; the arguments are "
                  "in the types of this call");
    return std::invoke(body, std::forward<Arguments>(arguments)...);
  }
}

// A callable as a loop calls it: a const copy, if it is small and can be called as const, such as a
// lambda that captures pointers, numbers and references. Otherwise compilers must assume that a
// body which writes bytes, for example, changes what it has captured, and do not vectorise. Only
// the address of the callable shows whether it is a copy.
template <class F>
concept small_callable = std::is_object_v<F> && std::is_trivially_copy_constructible_v<F> &&
                         std::is_trivially_destructible_v<F> && sizeof(F) <= 64;
template <class F, class Worker, class... Arguments>
using called_in_loop =
    std::conditional_t<small_callable<F> && (wants_worker<const F, Worker, Arguments...> ||
                                             std::invocable<const F&, Arguments...>),
                       const F, F&>;

// Returns n, rounded down if it is large: a vectorised loop has no remainder, and the next is
// aligned.
constexpr std::uint64_t whole_vectors(std::uint64_t n) noexcept { return n < 256 ? n : n - n % 64; }

// How many elements of its part a worker goes through before it checks again whether to give away
// half of the rest.
class loop_rhythm {
 public:
  explicit loop_rhythm(std::uint64_t grain) noexcept : grain_(grain) {}

  // Returns 1, 1, 2, 4, …: the sums are powers of two, so that a part that begins aligned for
  // vectors remains aligned.
  std::uint64_t turn(std::uint64_t left) noexcept {
    const std::uint64_t next = std::clamp<std::uint64_t>(done_, 1, most);
    const std::uint64_t wish = std::max(std::min(next, left / 8), std::min(done_ / 16, most));
    const std::uint64_t n = std::min(std::max(grain_, whole_vectors(wish)), left);
    done_ += n;
    return n;
  }

 private:
  static constexpr std::uint64_t most = 4096;
  std::uint64_t grain_;
  std::uint64_t done_ = 0;
};

// How much a worker keeps when it gives away half of its part: at least the grain if gives_half().
constexpr std::uint64_t lower_half(std::uint64_t size, std::uint64_t grain) noexcept {
  return std::max(whole_vectors(size - size / 2), grain);
}

// True if half of a part is to be given away: both halves are worth a task, and others find no task
// of `me`.
template <class Worker>
bool gives_half(Worker& me, std::uint64_t left, std::uint64_t grain) noexcept {
  return left / 2 >= grain && me.wants_tasks();
}

// Runs loop.go_through(worker, place, n) for all of a part, and gives away half of what is left
// whenever this worker has nothing else for thieves. All tasks of the loop share `loop`, which is
// on the stack of the task that called it.
template <class Loop, class Worker, class Place>
void divide(const Loop& loop, Worker& me, loop_part<Place> all) noexcept(Loop::nothrow) {
  loop_rhythm rhythm{loop.grain};
  while (all.size != 0) {
    if (gives_half(me, all.size, loop.grain)) {
      auto half =
          me.spawn([&loop, rest = all.split_after(lower_half(all.size, loop.grain))](
                       Worker& worker) noexcept(Loop::nothrow) { divide(loop, worker, rest); });
      me.share();  // the next element may take long
      divide(loop, me, all);
      me.sync(half);
      return;
    }
    const std::uint64_t n = rhythm.turn(all.size);
    const loop_part<Place> rest = all.split_after(n);
    loop.go_through(me, all.first, n);
    all = rest;
    me.poll();
  }
}

}  // namespace fencepost::detail
