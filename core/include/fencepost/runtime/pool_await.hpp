// Coroutines that wait for a job of a thread_pool. Comes with thread_pool.hpp.
//
//   const int n = co_await pool.submit([] { return compute(); });
//   auto [a, b] = co_await when_all(pool.submit(left), pool.submit(right));
//
// The co_await returns the job's result, or throws its exception, as get() does, and no thread
// waits. If the job is done already, the coroutine continues at once; otherwise it is resumed by
// the thread that has ended the job, as a part of that job: on a worker of its pool, or, after
// then(), on the thread that has found the next pool stopped. co_await pool.schedule() and
// co_await runner.schedule() move it elsewhere.
//
// The coroutine may end, and its frame be destroyed, before the thread that has suspended it has
// returned from that. An exception that leaves the coroutine itself, because its promise lets it
// pass, ends the program if the coroutine was resumed. A coroutine that is suspended here must not
// be destroyed.
//
// g++ 12 destroys the captures of a lambda that is written within the co_await twice, if they have
// destructors: name the handle first, auto job = pool.submit(…), and co_await std::move(job).
//
// Threads: co_await, as get() of the handle. The job happens before what follows the co_await.
// Claims (thread_pool/…): follower_comes_after_the_job, follower_may_die_when_it_comes.
// Progress: as then(). Costs: a locked instruction; nothing is allocated.
//
// This header is empty where there are no coroutines (__cpp_lib_coroutine).
#pragma once

#include <version>

#if defined(__cpp_lib_coroutine)
#include <coroutine>
#include <utility>

#include "fencepost/attributes.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/waitable_job.hpp"

namespace fencepost {

template <class R, class P>
class [[nodiscard]] pool_await final : public job_follower {
 public:
  explicit pool_await(pool_future<R, P>&& job) noexcept
      : job_follower{&come_it}, job_{std::move(job)} {}

  bool await_ready() const { return job_.ready(); }
  // Once this follows the job, it may be destroyed. Not inlined: clang before 17 may put local
  // variables of this function into the coroutine's frame.
  FENCEPOST_NOINLINE bool await_suspend(std::coroutine_handle<> suspended) {
    suspended_ = suspended;
    return detail::pool_future_access::job_of(job_, "co_await").follow(*this);
  }
  R await_resume() { return job_.get(); }

 private:
  static job_follower* come_it(job_follower& me) noexcept {
    static_cast<pool_await&>(me).suspended_.resume();
    return nullptr;
  }

  // unwatched: written before this is handed over, and read by the thread that has obtained it.
  pool_future<R, P> job_;
  std::coroutine_handle<> suspended_;
};

}  // namespace fencepost
#endif
