// A job that follows another one: pool_future::then(). Comes with thread_pool.hpp.
//
//   auto shown = pool.submit([] { return compute(); }).then(pool, [](int n) { show(n); });
//
// No thread waits: the worker that has run the first job hands the next one over, to its own deque
// if that is of the same pool, where it comes next unless an idle worker steals it first; otherwise
// as an external job. If the first job is done already, the caller does that. The two pools may be
// different ones. The second must exist until the first job is done. If it is stopped meanwhile, it
// refuses the job if a thread outside it hands it over: the job's handle throws pool_stopped.
//
// Threads: then(), as get(). For any threads X, Y and Z: the first job, which X runs, happens
// before the next one, which Y runs; so does everything sequenced before Z's then().
// Claims (thread_pool/…): follower_comes_after_the_job.
// Progress: as submit(). Costs: one allocation, and a locked instruction beside what submit()
// takes.
#pragma once

#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/job_callable.hpp"
#include "fencepost/runtime/pool_future.hpp"

namespace fencepost {

// The job that follows, with its callable; it holds the handle to the first one.
template <class F, class R, class P>
class following_job final : public result_job<typename detail::result_after<F, R>::type, P>,
                            public job_follower {
 public:
  using result = typename detail::result_after<F, R>::type;

  template <class G>
  following_job(basic_thread_pool<P>& pool, G&& f)
      : result_job<result, P>{&*pool.core_, &run_it, &destroy_it},
        job_follower{&come_it},
        pool_{pool} {
    callable_.emplace(std::forward<G>(f));
  }

  // Sets the handle to the job that this one follows, before this one is handed over. If it is not
  // handed over, give_back() returns the handle.
  void set_first(pool_future<R, P>&& first) noexcept { first_ = std::move(first); }
  pool_future<R, P> give_back() noexcept { return std::move(first_); }

 private:
  // Called when the first job is done, on the thread that has run it.
  static job_follower* come_it(job_follower& next) noexcept {
    auto& me = static_cast<following_job&>(next);
    job_follower* after = nullptr;
    detail::attempt(
        [&] { me.pool_.give(me); },
        [&] {
          std::exception_ptr refused = std::current_exception();
          after = me.end_with([&]() -> result { std::rethrow_exception(std::move(refused)); });
        });
    return after;
  }
  static void run_it(pool_job<P>& job) noexcept {
    auto& me = static_cast<following_job&>(job);
    job_follower::come_all(me.end_with([&]() -> result {
      if constexpr (std::is_void_v<R>) {
        me.first_.get();
        return std::invoke(std::move(*me.callable_));
      } else {
        return std::invoke(std::move(*me.callable_), me.first_.get());
      }
    }));
  }
  // Returns the follower of this job, which may be destroyed then.
  template <class Outcome>
  job_follower* end_with(Outcome&& outcome) noexcept {
    this->keep_result_of(std::forward<Outcome>(outcome));
    callable_.reset();  // a waiter may rely on its captures being destroyed
    first_ = {};
    job_follower* const after = this->end();
    this->release();
    return after;
  }
  static void destroy_it(waitable_job<P>& job) noexcept {
    delete static_cast<following_job*>(&job);
  }

  // unwatched: written before the job is handed over, and read by the thread that has obtained it.
  basic_thread_pool<P>& pool_;
  pool_future<R, P> first_;
  std::optional<F> callable_;
};

template <class R, class P>
template <class F>
auto pool_future<R, P>::then(
    basic_thread_pool<P>& pool,
    F&& f) && -> pool_future<typename detail::result_after<std::decay_t<F>, R>::type, P> {
  using next_job = following_job<std::decay_t<F>, R, P>;
  result_job<R, P>& first = checked("then");
  detail::check_callable(f);
  auto* const next = new next_job{pool, std::forward<F>(f)};
  pool_future<typename next_job::result, P> handle =
      detail::pool_future_access::handle_to<typename next_job::result, P>(*next);
  next->set_first(std::move(*this));
  detail::attempt_or_undo(
      [&] {
        if (!first.follow(*next)) pool.give(*next);
      },
      [&] {
        *this = next->give_back();
        next->release();  // the pool's ownership
      });
  return handle;
}

}  // namespace fencepost
