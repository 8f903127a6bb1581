// The jobs of thread_pool without a handle: one that no thread waits for, and one that lies on the
// stack of the worker that waits for it.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/pool_core.hpp"

namespace fencepost {

// Destroys itself once it has run.
template <class F, class P>
class posted_job final : public pool_job<P> {
 public:
  template <class G>
  posted_job(const std::function<void(std::exception_ptr)>& on_exception, G&& f)
      : pool_job<P>{&run_it}, on_exception_{on_exception}, callable_{std::forward<G>(f)} {}

 private:
  static void run_it(pool_job<P>& job) noexcept {
    const std::unique_ptr<posted_job> me{static_cast<posted_job*>(&job)};
    detail::attempt([&] { std::invoke(std::move(me->callable_)); },
                    [&] {
                      if (!me->on_exception_) std::terminate();  // which reports the exception
                      me->on_exception_(std::current_exception());
                    });
  }
  // unwatched: written before run_ of the base is published, and read after that, by the thread
  // that destroys it.
  const std::function<void(std::exception_ptr)>& on_exception_;  // the pool's
  F callable_;
};

// Lies on the stack of the worker that made it, and in its deque until a thread takes it. F: a
// reference to the callable.
template <class F, class P>
class joined_job final : public pool_job<P> {
 public:
  using worker = typename pool_core<P>::worker;

  joined_job(worker& me, F f) noexcept
      : pool_job<P>{&run_it}, me_{&me}, callable_{std::addressof(f)} {}

  // The worker that made it. Returns once the job has run: here, if it is still in the deque; if
  // not, this worker runs other jobs until then. The job happens before the return.
  void finish() noexcept {
    worker& me = *me_.get();
    pool_core<P>& pool = me.pool();
    while (pool_job<P>* const newest = pool.pop(me)) {
      if (newest == this) [[likely]] {
        pool.runs_itself(me);
        return call();
      }
      pool.run(me, *newest);  // posted since then, and above this one in the deque
      if (latch_.probe()) return;
    }
    pool.wait_until(me, latch_);
  }
  // After finish(): rethrows the job's exception.
  void rethrow() {
    if (error_.read()) [[unlikely]]
      std::rethrow_exception(std::move(error_.write()));
  }

 private:
  void call() noexcept {
    detail::attempt([&] { std::invoke(static_cast<F>(*callable_.get())); },
                    [&] { error_.set(std::current_exception()); });
  }
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<joined_job&>(job);
    me.call();
    // The job may have been destroyed once the latch is set.
    worker& waiter = *me.me_.get();
    waiter.pool().sleep().set_latch(me.latch_, waiter.index());
  }

  typename P::template plain<worker*> me_;
  typename P::template plain<std::remove_reference_t<F>*> callable_;
  core_latch<P> latch_;
  typename P::template plain<std::exception_ptr> error_;
};

}  // namespace fencepost
