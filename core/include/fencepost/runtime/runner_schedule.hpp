// Coroutines that continue on the thread of a task_runner. Comes with task_runner.hpp.
//
//   co_await runner.schedule();            what follows runs on the runner's thread, in its turn
//   co_await runner.schedule_after(10ms);  and after that time at the earliest
//   co_await runner.schedule_at(due);      or at that time of the steady clock
//
// The coroutine is resumed by a task like those of post(), post_delayed() and post_at(): in the
// order of the posts, after everything that was posted before. A coroutine that is on that thread
// already takes its turn as well. Everything sequenced before the co_await happens before what
// follows it. The coroutine may end, and its frame be destroyed, before the thread that has
// suspended it has returned from that.
//
// If post() throws, so does the co_await, on the thread that it was called on. An exception that
// leaves the coroutine, because its promise lets it pass, leaves run(). A runner that is destroyed
// before it has run the task neither resumes the coroutine nor destroys its frame: that is left to
// the owner of the coroutine's handle.
//
// Threads: any. Progress and costs: as post(); nothing is allocated for the coroutine.
//
// This header is empty where there are no coroutines (__cpp_lib_coroutine).
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>
#include <utility>

#include "fencepost/attributes.hpp"

namespace fencepost {

// Post: a callable that posts its argument.
template <class Post>
class [[nodiscard]] runner_schedule {
 public:
  explicit runner_schedule(Post post) noexcept : post_{std::move(post)} {}

  bool await_ready() const noexcept { return false; }
  // Once the task is posted, the coroutine's frame may be destroyed, and the awaitable with it. Not
  // inlined: clang before 17 may put local variables of this function into that frame.
  FENCEPOST_NOINLINE void await_suspend(std::coroutine_handle<> suspended) const {
    post_([suspended] { suspended.resume(); });
  }
  void await_resume() const noexcept {}

 private:
  const Post post_;
};

}  // namespace fencepost
#endif
