// std::ranges::stable_sort, shared among the workers of a fork-join runtime.
//
//   parallel_sort(me, words.begin(), words.end());
//   parallel_sort(me, people, std::greater<>{}, &person::age);
//
// Sorts the elements between two random access iterators, or of a random access range, by
// comp(proj(a), proj(b)), a strict weak ordering. The sort is stable: equal elements stay in their
// order, and the result does not depend on the number of workers. Elements are objects, to which
// the iterators return references. Moving them must not throw, which is checked at compile time.
//
// Comparisons: at most n log2 n, give or take n; some concurrently, by the same objects comp and
// proj, or, if copying those is trivial, by const copies. If a comparison throws, the sort throws
// that, one of the exceptions if there are several: then nothing is running any more, and the range
// has its elements, in some order. So it does if the ordering contradicts itself.
//
// With a std::stop_token after the worker, the sort may end early: it returns true if the range is
// sorted, false if the token was asked to stop before the return; then the range has its elements,
// in some order. A worker checks the token before every few thousand comparisons.
//
//   if (!parallel_sort(me, token, words)) return;
//
// How: each half is sorted by itself, by another worker if one is free, and merged with the other;
// a large merge is divided at its future middle, when other workers have nothing else to do.
//
// Ordering: for any threads X that calls and Y that compares, what X did before the call is visible
// to the comparisons, and what they did is visible to X when the call returns or throws.
//
// Threads: a task, with its own worker; any, with a pool. Progress: as spawn() and sync().
// Costs: memory for n elements from the heap, unless they have at most 4096 bytes; std::bad_alloc
// is thrown before anything has changed. Each element is moved about log2 n times; a number, or
// another trivially copyable element, without a branch that depends on it. Source of the
// division: S. Akl and N. Santoro, "Optimal parallel merging and sorting without memory conflicts"
// (1987).
#pragma once

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_part.hpp"
#include "fencepost/runtime/merge_sort.hpp"
#include "fencepost/runtime/stop_condition.hpp"

namespace fencepost {

namespace detail {

// A callable as the sort calls it: a const copy, if it is small and can be called as const: then
// compilers know its contents.
template <class F, class... Arguments>
using called_in_sort =
    std::conditional_t<std::is_trivially_copy_constructible_v<F> &&
                           std::is_trivially_destructible_v<F> && sizeof(F) <= 32 &&
                           std::invocable<const F&, Arguments...>,
                       const F, F&>;

// comp(proj(a), proj(b)).
template <class T, class Comp, class Proj>
struct comes_before {
  [[no_unique_address]] called_in_sort<Comp, std::invoke_result_t<Proj&, T&>,
                                       std::invoke_result_t<Proj&, T&>>
      comp;
  [[no_unique_address]] called_in_sort<Proj, T&> proj;

  bool operator()(T& a, T& b) const {
    return static_cast<bool>(std::invoke(comp, std::invoke(proj, a), std::invoke(proj, b)));
  }
};

template <class Worker, class It, class Less, class Stop>
class parallel_sorting {
  using value = std::iter_value_t<It>;

 public:
  parallel_sorting(It first, value* buffer, Less less, Stop stop)
      : first_(std::move(first)), buffer_(buffer), less_(less), stop_(stop) {}

  // Sorts n elements, from number `at` on, in place or into the buffer. Returns what a comparison
  // threw.
  std::exception_ptr sort(Worker& me, std::size_t at, std::size_t n,
                          bool into_buffer) const noexcept {
    if (n <= least_to_sort) {
      if (stop_()) {  // moves them, unsorted, to where they are merged; merges accept any order
        if (into_buffer) relocate_all(element(at), element(at + n), buffer_ + at);
        return nullptr;
      }
      std::exception_ptr error = merge_sort(element(at), n, buffer_ + at, into_buffer, less_);
      me.poll();
      return error;
    }
    const std::size_t middle = at + n / 2, end = at + n;
    auto upper = me.spawn([this, middle, end, into_buffer](Worker& worker) noexcept {
      return sort(worker, middle, end - middle, !into_buffer);
    });
    std::exception_ptr error = sort(me, at, middle - at, !into_buffer);
    std::exception_ptr error_above = me.sync(upper);
    if (!error) error = std::move(error_above);
    if (into_buffer) {
      return merge(me, two_runs<It>{element(at), element(middle), element(middle), element(end)},
                   buffer_ + at, std::move(error));
    }
    return merge(me,
                 two_runs<value*>{buffer_ + at, buffer_ + middle, buffer_ + middle, buffer_ + end},
                 element(at), std::move(error));
  }

 private:
  static constexpr std::size_t least_to_sort = 512, least_to_merge = 8192;

  It element(std::size_t at) const { return first_ + static_cast<std::iter_difference_t<It>>(at); }

  // As merge_runs().
  template <class From, class To>
  std::exception_ptr merge(Worker& me, two_runs<From> runs, To out,
                           std::exception_ptr error) const noexcept {
    while (!error && runs.size() > least_to_merge && !stop_()) {
      const bool divides = me.wants_tasks();
      const std::size_t n = divides ? runs.size() / 2 : least_to_merge;
      two_runs<From> rest;
      attempt([&] { rest = runs.split_after(n, less_); },
              [&] { error = std::current_exception(); });
      if (error) break;
      const To middle = out + static_cast<std::iter_difference_t<To>>(n);
      if (divides) return merge_both(me, runs, out, rest, middle);
      error = merge_runs(runs, out, less_);
      runs = rest;
      out = middle;
      me.poll();
    }
    if (stop_()) {
      relocate_runs(runs, out);
      return error;
    }
    return merge_runs(runs, out, less_, std::move(error));
  }

  template <class From, class To>
  std::exception_ptr merge_both(Worker& me, const two_runs<From>& runs, To out,
                                const two_runs<From>& rest, To middle) const noexcept {
    auto upper = me.spawn([this, rest, middle](Worker& worker) noexcept {
      return merge(worker, rest, middle, nullptr);
    });
    me.share();
    std::exception_ptr error = merge(me, runs, out, nullptr);
    std::exception_ptr error_above = me.sync(upper);
    return error ? error : error_above;
  }

  It first_;
  value* buffer_;
  Less less_;
  [[no_unique_address]] Stop stop_;
};

// Memory for n elements: no objects exist in it at the beginning, nor at the end.
template <class T>
class room_to_sort {
 public:
  explicit room_to_sort(std::size_t n) : size_(n), first_(std::allocator<T>{}.allocate(n)) {}
  ~room_to_sort() { std::allocator<T>{}.deallocate(first_, size_); }
  room_to_sort(const room_to_sort&) = delete;
  room_to_sort& operator=(const room_to_sort&) = delete;
  T* first() const noexcept { return first_; }

 private:
  std::size_t size_;
  T* first_;
};

inline constexpr std::size_t bytes_sorted_on_the_stack = 4096;

template <class It, class Less>
std::exception_ptr sort_few(It first, std::size_t n, Less less) noexcept {
  using value = std::iter_value_t<It>;
  alignas(value) std::byte memory[bytes_sorted_on_the_stack];
  return merge_sort(first, n, reinterpret_cast<value*>(memory), false, less);
}

template <class Where, class It, class Less, class Stop>
void run_sort(Where& where, It first, std::size_t n, Less less, Stop stop) {
  using value = std::iter_value_t<It>;
  static_assert(std::is_same_v<std::iter_reference_t<It>, value&>,
                "parallel_sort needs iterators that give references to elements");
  static_assert(std::is_nothrow_move_constructible_v<value> &&
                    std::is_nothrow_move_assignable_v<value> &&
                    std::is_nothrow_destructible_v<value>,
                "parallel_sort needs elements whose moving does not throw; sort pointers to these, "
                "or their indices");
  if (n <= 1 || stop()) return;
  std::exception_ptr error;
  if (n <= bytes_sorted_on_the_stack / sizeof(value)) {
    error = sort_few(first, n, less);
  } else {
    const room_to_sort<value> room{n};
    error = with_worker(where, [&]<class Worker>(Worker& me) {
      const parallel_sorting<Worker, It, Less, Stop> all{first, room.first(), less, stop};
      return all.sort(me, 0, n, false);
    });
  }
  if (error) std::rethrow_exception(std::move(error));
}

template <class Worker, std::random_access_iterator It, class Comp, class Proj, class Stop>
void sort_from(Worker& me, It first, std::iter_difference_t<It> n, Comp& comp, Proj& proj,
               Stop stop) {
  const comes_before<std::iter_value_t<It>, Comp, Proj> less{comp, proj};
  if constexpr (std::contiguous_iterator<It>) {
    run_sort(me, std::to_address(first), static_cast<std::size_t>(n), less, stop);
  } else {
    run_sort(me, std::move(first), static_cast<std::size_t>(n), less, stop);
  }
}

template <class R>
auto size_of_range(R& range) {
  return static_cast<std::iter_difference_t<std::ranges::iterator_t<R>>>(std::ranges::size(range));
}

}  // namespace detail

// See above.
template <class Worker, std::random_access_iterator It, std::sized_sentinel_for<It> End,
          class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<It, Comp, Proj>
void parallel_sort(Worker& me, It first, End last, Comp comp = {}, Proj proj = {}) {
  detail::sort_from(me, first, last - first, comp, proj, detail::never_stopped{});
}
template <class Worker, detail::loop_range R, class Comp = std::ranges::less,
          class Proj = std::identity>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
void parallel_sort(Worker& me, R&& range, Comp comp = {}, Proj proj = {}) {
  detail::sort_from(me, std::ranges::begin(range), detail::size_of_range(range), comp, proj,
                    detail::never_stopped{});
}

#if defined(__cpp_lib_jthread)
template <class Worker, std::random_access_iterator It, std::sized_sentinel_for<It> End,
          class Comp = std::ranges::less, class Proj = std::identity>
requires std::sortable<It, Comp, Proj>
bool parallel_sort(Worker& me, const std::stop_token& token, It first, End last, Comp comp = {},
                   Proj proj = {}) {
  detail::sort_from(me, first, last - first, comp, proj, detail::stopped_by{token});
  return !token.stop_requested();
}
template <class Worker, detail::loop_range R, class Comp = std::ranges::less,
          class Proj = std::identity>
requires std::sortable<std::ranges::iterator_t<R>, Comp, Proj>
bool parallel_sort(Worker& me, const std::stop_token& token, R&& range, Comp comp = {},
                   Proj proj = {}) {
  detail::sort_from(me, std::ranges::begin(range), detail::size_of_range(range), comp, proj,
                    detail::stopped_by{token});
  return !token.stop_requested();
}
#endif

}  // namespace fencepost
