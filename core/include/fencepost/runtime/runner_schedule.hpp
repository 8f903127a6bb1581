// Coroutines that go on on the thread of a task_runner. Comes with task_runner.hpp.
//
//   co_await runner.schedule();            what follows runs on the runner's thread, in its turn
//   co_await runner.schedule_after(10ms);  and after that time at the earliest
//
// The coroutine is resumed by a task, as post() and post_delayed() have them: in the order of the
// posts, after everything that came before. One that is on that thread already takes its turn all
// the same. Everything sequenced before the co_await happens before what follows it. The coroutine
// may end, and its frame be destroyed, before the thread that has suspended it has returned from
// that.
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
#include <chrono>
#include <coroutine>

#include "fencepost/attributes.hpp"
#include "fencepost/runtime/task_runner_statistics.hpp"

namespace fencepost {

template <task_runner_features Features>
class basic_task_runner;

template <task_runner_features Features>
class [[nodiscard]] runner_schedule {
 public:
  explicit runner_schedule(basic_task_runner<Features>& runner) noexcept : runner_{runner} {}

  bool await_ready() const noexcept { return false; }
  // Once it is posted the coroutine's frame may be gone, and the awaitable with it. Not inlined:
  // clang before 17 may put what is local here into that frame.
  FENCEPOST_NOINLINE void await_suspend(std::coroutine_handle<> suspended) const {
    runner_.post([suspended] { suspended.resume(); });
  }
  void await_resume() const noexcept {}

 private:
  basic_task_runner<Features>& runner_;
};

template <task_runner_features Features, class Duration>
class [[nodiscard]] runner_schedule_after {
 public:
  runner_schedule_after(basic_task_runner<Features>& runner, Duration delay) noexcept
      : runner_{runner}, delay_{delay} {}

  bool await_ready() const noexcept { return false; }
  FENCEPOST_NOINLINE void await_suspend(std::coroutine_handle<> suspended) const {
    runner_.post_delayed([suspended] { suspended.resume(); }, delay_);
  }
  void await_resume() const noexcept {}

 private:
  basic_task_runner<Features>& runner_;
  const Duration delay_;
};

}  // namespace fencepost
#endif
