// The exception that get() throws for a job that was asked to stop before it began, and the
// callable that throws it.
//
// This header is empty where the library has no std::stop_token (__cpp_lib_jthread).
#pragma once

#include <version>

#if defined(__cpp_lib_jthread)
#include <stdexcept>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/unless_stopped.hpp"

namespace fencepost {

struct job_cancelled : std::runtime_error {
  job_cancelled()
      : std::runtime_error{
            "thread_pool: the job was asked to stop before it began, and was not run; it has no "
            "result"} {}
};

// For a caller that expects a result: a callable that throws if it has been asked to stop.
template <stoppable F>
auto cancelled_if_stopped(std::stop_token token, F&& f) {
  using callable = unless_stopped<std::decay_t<F>>;
  return [job = callable{std::move(token), std::forward<F>(f)}]() mutable ->
         typename callable::result {
           if (job.stopped()) detail::raise<job_cancelled>();
           return std::move(job)();
         };
}

}  // namespace fencepost
#endif
