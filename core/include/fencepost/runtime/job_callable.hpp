// A callable as the functions that submit jobs to a thread_pool receive it: checked, and bound to
// its arguments.
#pragma once

#include <stdexcept>
#include <utility>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/bound_call.hpp"
#include "fencepost/runtime/empty_callable.hpp"

namespace fencepost::detail {

// Throws std::invalid_argument if the callable is empty.
template <class F>
void check_callable(const F& f) {
  if (is_empty_callable(f)) {
    raise<std::invalid_argument>(
        "thread_pool: an empty callable, a null pointer to a function or a std::function without "
        "a target; there is nothing to run");
  }
}

// f(args...) as a job calls it, without arguments; f itself, if there are none.
template <class F, class... Args>
decltype(auto) job_of(F&& f, Args&&... args) {
  check_callable(f);
  if constexpr (sizeof...(Args) == 0) {
    return std::forward<F>(f);
  } else {
    return bound_call_of<F, Args...>{std::in_place, std::forward<F>(f),
                                     std::forward<Args>(args)...};
  }
}

}  // namespace fencepost::detail
