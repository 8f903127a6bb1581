// The contents of a slot of a fork-join worker's deque: a type-erased callable, and later its
// result in the same bytes.
//
//            spawn                     a thief has run it
//     run    how to run it             the same, or null: it threw
//     bytes  the callable              the result, or the exception
//
// The owner that takes a task back knows its type, and calls it directly; a thief calls run().
// A callable or a result that does not fit lies in the scratch memory of the worker that spawned
// the task, and the slot has a callable that points there.
//
// Source: Lace's tasks (LACE-09), lace.rs's type-erased callables (LRS-16, LRS-24).
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"
#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/task_outcome.hpp"

namespace fencepost {

// Calls f(me), or f() if it does not take the worker.
template <class F, class Worker>
decltype(auto) call_with(F&& f, Worker& me) noexcept(std::is_invocable_v<F, Worker&>
                                                         ? std::is_nothrow_invocable_v<F, Worker&>
                                                         : std::is_nothrow_invocable_v<F>) {
  if constexpr (std::is_invocable_v<F, Worker&>) {
    return std::invoke(std::forward<F>(f), me);
  } else {
    static_assert(std::is_invocable_v<F>, "a task is called with its worker, or with nothing");
    return std::invoke(std::forward<F>(f));
  }
}

namespace detail {

// Reports a misuse from which the program cannot recover, and ends it.
[[noreturn, gnu::cold, gnu::noinline]] inline void fork_join_misuse(const char* what) noexcept {
  std::fprintf(stderr, "fork_join: %s\n", what);
  std::abort();
}

template <class F, class Worker>
using task_result = decltype(call_with(std::declval<F&&>(), std::declval<Worker&>()));

// A callable and its result in scratch memory, if they do not fit a slot.
template <class F, class R>
struct scratch_task {
  template <class G>
  scratch_task(scratch_mark mark_before, scratch_mark mark_after, G&& g)
      : before{mark_before}, after{mark_after}, f(std::forward<G>(g)) {}
  const scratch_mark before, after;
  F f;
  std::optional<kept_result<R>> result;
};
// What the slot contains instead.
template <class F, class Worker>
struct scratch_call {
  using result = task_result<F, Worker>;
  scratch_task<F, result>* there;
  void operator()(Worker& me) const
      noexcept(noexcept(call_with(std::declval<F&&>(), me)) &&
               std::is_nothrow_move_constructible_v<kept_result<result>>) {
    there->result.emplace(
        call_and_keep<result>([&]() -> result { return call_with(std::move(there->f), me); }));
  }
};

}  // namespace detail

// Trivially copyable: the code that knows the type of the contents moves them in and out.
template <class Worker>
struct fork_join_task {
  static constexpr std::size_t room = 48;
  template <class T>
  static constexpr bool fits =
      sizeof(T) <= room && alignof(T) <= alignof(void*) && std::is_nothrow_move_constructible_v<T>;
  // Whether a callable of type F, and its result, can be kept here.
  template <class F>
  static constexpr bool holds = fits<F>&& fits<detail::kept_result<detail::task_result<F, Worker>>>;

  // Runs the callable, destroys it and leaves the result; or the exception, and a null here.
  void (*run)(Worker& me, fork_join_task& task) noexcept;
  alignas(void*) std::byte bytes[room];

  template <class T, class... Arguments>
  void put(Arguments&&... arguments) {
    ::new (static_cast<void*>(bytes)) T(std::forward<Arguments>(arguments)...);
  }
  // Moves a T out.
  template <class T>
  T take() noexcept {
    const removal<T> at_the_end{*std::launder(reinterpret_cast<T*>(bytes))};
    return std::move(at_the_end.there);
  }

  // `run`, for a callable of type F.
  template <class F>
  static void run_here(Worker& me, fork_join_task& task) noexcept {
    if constexpr (noexcept(call_with(std::declval<F&&>(), me))) {
      task.call<F>(me);
    } else {
      detail::attempt([&] { task.call<F>(me); },
                      [&] {
                        task.run = nullptr;
                        task.put<std::exception_ptr>(std::current_exception());
                      });
    }
  }

  // After that: returns the result R of the task, or throws what it threw. `removed` is called once
  // the bytes are empty, and before anything is thrown.
  template <class R, class Removed>
  R take_result(Removed&& removed) {
    if (run == nullptr) [[unlikely]] {
      const auto error = take<std::exception_ptr>();
      removed();
      std::rethrow_exception(error);
    }
    auto result = take<detail::kept_result<R>>();
    removed();
    return detail::give<R>(result);
  }
  // The same, but discards it.
  template <class R>
  void drop_result() noexcept {
    if (run == nullptr) {  // NOLINT(bugprone-branch-clone): R may be an exception_ptr as well
      take<std::exception_ptr>();
    } else {
      take<detail::kept_result<R>>();
    }
  }

 private:
  template <class T>
  struct removal {
    T& there;
    ~removal() { std::destroy_at(&there); }
  };

  template <class F>
  void call(Worker& me) {
    using result = detail::task_result<F, Worker>;
    auto kept = detail::call_and_keep<result>([&]() -> result {
      // Destroys the callable before the result, or the exception, takes its place.
      const removal<F> at_the_end{*std::launder(reinterpret_cast<F*>(bytes))};
      return call_with(std::move(at_the_end.there), me);
    });
    put<detail::kept_result<result>>(std::move(kept));
  }
};

}  // namespace fencepost
