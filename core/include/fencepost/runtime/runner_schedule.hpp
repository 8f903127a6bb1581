// Coroutines that go on on the thread of a task_runner. Comes with task_runner.hpp.
//
//   co_await runner.schedule();            what follows runs on the runner's thread, in its turn
//   co_await runner.schedule_after(10ms);  and after that time at the earliest
//   co_await runner.schedule_at(due);      or at that time of the steady clock
//
// The coroutine is resumed by a task, as post(), post_delayed() and post_at() have them: in the
// order of the posts, after everything that came before. One that is on that thread already takes
// its turn all the same. Everything sequenced before the co_await happens before what follows it.
// The coroutine may end, and its frame be destroyed, before the thread that has suspended it has
// returned from that.
//
// If post() throws, so does the co_await, on the thread that it was called on. An exception that
// leaves the coroutine, which its promise lets pass, leaves run(). A runner that is destroyed with
// the task left does not resume the coroutine, nor destroy its frame: the owner of the
// coroutine's handle does.
//
// Threads: any. Progress and costs: as post(); nothing is allocated for the coroutine.
//
// Where there are no coroutines (__cpp_lib_coroutine), there is nothing here.
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>
#include <utility>

#include "fencepost/attributes.hpp"

namespace fencepost {

// Post: posts what it is called with.
template <class Post>
class [[nodiscard]] runner_schedule {
 public:
  explicit runner_schedule(Post post) noexcept : post_{std::move(post)} {}

  bool await_ready() const noexcept { return false; }
  // Once it is posted the coroutine's frame may be gone, and the awaitable with it. Not inlined:
  // clang before 17 may put what is local here into that frame.
  FENCEPOST_NOINLINE void await_suspend(std::coroutine_handle<> suspended) const {
    post_([suspended] { suspended.resume(); });
  }
  void await_resume() const noexcept {}

 private:
  const Post post_;
};

}  // namespace fencepost
#endif
