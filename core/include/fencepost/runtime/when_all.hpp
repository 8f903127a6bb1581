// when_all(): one handle for several handles to jobs of thread_pool.
//
//   auto both = when_all(pool.submit(left), pool.submit(right));   of a std::tuple
//   auto all = when_all(std::move(handles));                       of a std::vector, or of nothing
//
// The result consists of those of the jobs, in the order of the handles, with std::monostate for
// void in a tuple; for a std::vector<pool_future<void>> it is void. If jobs ended by exceptions,
// get() throws the first in the order of the handles; others are lost. Even then the result
// is not ready until all jobs have ended. No thread waits for that: the worker that runs the last
// one of the jobs assembles the results, so moving a result should not take long.
//
// A worker of the first handle's pool that waits for all runs other jobs meanwhile; one of another
// pool sleeps.
//
// Threads: when_all(), as get() of each handle. For any threads X and Y: each job, which X runs,
// happens before a ready() of Y that returns true, and before the end of Y's wait() and get().
// Claims (thread_pool/…): all_jobs_come_before_the_result, follower_comes_after_all_jobs.
// Progress: lock-free, apart from the allocator. Costs: two allocations, and two locked
// instructions a job.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/pool_future.hpp"
#include "fencepost/runtime/waitable_job.hpp"

namespace fencepost {

namespace detail {

// The handles of a joint_job, and the result that it makes of theirs.
template <class P, class... R>
class handles_of_tuple {
 public:
  using result = std::tuple<std::conditional_t<std::is_void_v<R>, std::monostate, R>...>;
  static constexpr std::size_t count() noexcept { return sizeof...(R); }

  explicit handles_of_tuple(pool_future<R, P>&&... handles) noexcept
      : handles_{std::move(handles)...} {}
  template <class F>
  void each(F&& f) {
    std::apply([&](auto&... handle) { (f(handle), ...); }, handles_);
  }
  result take() {
    return std::apply([](auto&... handle) { return result{taken(handle)...}; }, handles_);
  }

 private:
  template <class T>
  static decltype(auto) taken(pool_future<T, P>& handle) {
    if constexpr (std::is_void_v<T>) {
      handle.get();
      return std::monostate{};
    } else {
      return handle.get();
    }
  }
  // unwatched: a member of the joint_job, where it is watched.
  std::tuple<pool_future<R, P>...> handles_;
};
template <class P, class R>
class handles_of_vector {
 public:
  using result = std::conditional_t<std::is_void_v<R>, void, std::vector<kept_result<R>>>;
  std::size_t count() const noexcept { return handles_.size(); }

  explicit handles_of_vector(std::vector<pool_future<R, P>>&& handles) noexcept
      : handles_{std::move(handles)} {}
  template <class F>
  void each(F&& f) {
    for (pool_future<R, P>& handle : handles_) f(handle);
  }
  result take() {
    if constexpr (std::is_void_v<R>) {
      for (pool_future<R, P>& handle : handles_) handle.get();
    } else {
      result all;
      all.reserve(handles_.size());
      for (pool_future<R, P>& handle : handles_) all.push_back(handle.get());
      return all;
    }
  }

 private:
  // unwatched: a member of the joint_job, where it is watched.
  std::vector<pool_future<R, P>> handles_;
};

}  // namespace detail

// Ends when the jobs of all its handles have ended. No pool runs it: in place of a pool, the last
// one to arrive, of the jobs and begin(), owns it.
template <class Handles, class P>
class joint_job final : public result_job<typename Handles::result, P> {
 public:
  using result = typename Handles::result;

  joint_job(pool_core<P>* pool, Handles&& handles)
      : result_job<result, P>{pool, nullptr, &destroy_it},
        arrivals_{std::make_unique<arrival[]>(handles.count())},
        not_arrived_{handles.count() + 1} {
    handles_.write().emplace(std::move(handles));
  }

  // Called once. The job may be done when this returns, and destroyed unless there is a handle.
  void begin() noexcept;

 private:
  struct arrival final : job_follower {
    arrival() noexcept : job_follower{&come_it} {}
    static job_follower* come_it(job_follower& me) noexcept {
      return static_cast<arrival&>(me).all->arrive();
    }
    joint_job* all = nullptr;  // unwatched: written before it is handed over
  };

  // Returns the follower if this was the last arrival; the job may be destroyed then.
  job_follower* arrive() noexcept;
  static void destroy_it(waitable_job<P>& job) noexcept { delete static_cast<joint_job*>(&job); }

  const std::unique_ptr<arrival[]> arrivals_;  // unwatched: never changed
  typename P::template plain<std::optional<Handles>> handles_;
  typename P::template atomic<std::size_t> not_arrived_;
};

template <class Handles, class P>
void joint_job<Handles, P>::begin() noexcept {
  std::size_t n = 0;
  handles_.write()->each([&](auto& handle) {
    arrival& mine = arrivals_[n++];
    mine.all = this;
    bool follows = false;
    // If this throws, so does get() of the handle, which becomes the result.
    detail::attempt(
        [&] { follows = detail::pool_future_access::job_of(handle, "when_all").follow(mine); },
        [] {});
    if (!follows) static_cast<void>(arrive());  // never the last: begin() arrives below
  });
  job_follower::come_all(arrive());
}

template <class Handles, class P>
job_follower* joint_job<Handles, P>::arrive() noexcept {
  // [arrive] acq_rel, with [arrive]: the last one observes what all the jobs did, and the handles.
  if (not_arrived_.fetch_sub(1, std::memory_order_acq_rel) != 1) return nullptr;
  std::optional<Handles>& handles = handles_.write();
  this->keep_result_of([&handles]() -> result { return handles->take(); });
  handles.reset();  // also those left by an exception: none is kept until this job is destroyed
  job_follower* const after = this->end();
  this->release();
  return after;
}

namespace detail {

template <class P, class Handles>
pool_future<typename Handles::result, P> joined(pool_core<P>* pool, Handles handles) {
  using all = joint_job<Handles, P>;
  auto* const job = new all{pool, std::move(handles)};
  auto handle = pool_future_access::handle_to<typename all::result, P>(*job);
  job->begin();
  return handle;
}

}  // namespace detail

// See above. Throws std::bad_alloc, and std::logic_error for a handle without a job; the jobs run
// all the same.
template <class P, class First, class... R>
auto when_all(pool_future<First, P> first, pool_future<R, P>... others) {
  pool_core<P>* const pool = detail::pool_future_access::job_of(first, "when_all").pool();
  (static_cast<void>(detail::pool_future_access::job_of(others, "when_all")), ...);
  return detail::joined<P>(
      pool, detail::handles_of_tuple<P, First, R...>{std::move(first), std::move(others)...});
}
template <class R, class P>
auto when_all(std::vector<pool_future<R, P>> handles) {
  static_assert(!std::is_reference_v<R>,
                "there are no vectors of references: let the jobs return pointers");
  pool_core<P>* pool = nullptr;
  for (const pool_future<R, P>& handle : handles) {
    auto& job = detail::pool_future_access::job_of(handle, "when_all");
    if (pool == nullptr) pool = job.pool();
  }
  return detail::joined<P>(pool, detail::handles_of_vector<P, R>{std::move(handles)});
}

}  // namespace fencepost
