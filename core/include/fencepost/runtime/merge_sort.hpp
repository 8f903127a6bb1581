// A stable merge sort between a range and a buffer, for one thread: what parallel_sort.hpp divides.
//
//   range   | 7 2 | 5 1 |         leaves are sorted in place, by insertion;
//   buffer  | 2 7 | 1 5 |         each level of merging moves the elements to the other side
//   range   | 1 2 5 7 |
//
// Elements are relocated: constructed where they go, and destroyed where they were. So a slot of
// either side has an object or only memory, and each element is in exactly one slot, whatever
// happens: an exception of the comparison stops comparing, not moving, and is returned. The
// elements are then where they would be, in another order. Moving them must not throw.
//
// Elements that can be copied trivially are merged from both ends at once, without branches that
// depend on them: two chains of dependent instructions, and no mispredicted branch. This is safe
// because each end takes only as many as the shorter run has. If less() contradicts itself, as it
// does for NaNs, both ends may take the same element: that is detected, and the merge repeated from
// one end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"

namespace fencepost::detail {

template <class T>
inline constexpr bool relocates_by_copy = std::is_trivially_copyable_v<T>&&
    std::is_copy_constructible_v<T>&& std::is_copy_assignable_v<T>;

template <class From, class To>
void relocate(From from, To to) noexcept {
  std::construct_at(std::addressof(*to), std::move(*from));
  std::destroy_at(std::addressof(*from));
}
// Returns the end of the relocated elements.
template <class From, class To>
To relocate_all(From first, From last, To to) noexcept {
  if constexpr (relocates_by_copy<std::iter_value_t<From>>) {
    return std::copy(first, last, to);
  } else {
    for (; first != last; ++first, ++to) relocate(first, to);
    return to;
  }
}

// Two adjacent runs, each sorted: to be merged. Of equal elements those of the left come first.
template <class It>
struct two_runs {
  It left, left_end, right, right_end;

  std::size_t size() const noexcept {
    return static_cast<std::size_t>(left_end - left) + static_cast<std::size_t>(right_end - right);
  }
  // Keeps the n elements that come first when merged, and returns the rest. Calls less().
  template <class Less>
  two_runs split_after(std::size_t n, Less less);
};

template <class It>
template <class Less>
two_runs<It> two_runs<It>::split_after(std::size_t n, Less less) {
  // Searches for the number of them in the left run: the first position there whose element comes
  // after the element of the right run that would be the last of the n.
  const auto lefts = left_end - left, rights = right_end - right;
  const auto all = static_cast<std::iter_difference_t<It>>(n);
  auto least = std::max<std::iter_difference_t<It>>(all - rights, 0), most = std::min(all, lefts);
  while (least < most) {
    const auto from_left = least + (most - least) / 2;
    if (less(right[all - from_left - 1], left[from_left])) {
      most = from_left;
    } else {
      least = from_left + 1;
    }
  }
  two_runs rest{left + least, left_end, right + (all - least), right_end};
  left_end = rest.left;
  right_end = rest.right;
  return rest;
}

// Relocates one run after the other, without comparing.
template <class It, class Out>
void relocate_runs(const two_runs<It>& runs, Out out) noexcept {
  out = relocate_all(runs.left, runs.left_end, out);
  relocate_all(runs.right, runs.right_end, out);
}

// Its destructor relocates what is not merged yet, without merging it: less() may have thrown.
template <class It, class Out>
struct merge_in_progress {
  two_runs<It> runs;
  Out out;
  ~merge_in_progress() { relocate_runs(runs, out); }
};

// Merges from the front, one element at a time.
template <class It, class Out, class Less>
void merge_forward(merge_in_progress<It, Out>& on, Less less) {
  auto& [left, left_end, right, right_end] = on.runs;
  while (left != left_end && right != right_end) {
    if (less(*right, *left)) {
      relocate(right++, on.out++);
    } else {
      relocate(left++, on.out++);
    }
  }
}

// Merges from both ends, in rounds of as many elements as the shorter run has. Only copies: until a
// round is complete, the runs are as they were before it.
template <class It, class Out, class Less>
void merge_inward(merge_in_progress<It, Out>& on, Less less) {
  for (;;) {
    auto [left, left_end, right, right_end] = on.runs;
    Out front = on.out, back = front + static_cast<std::iter_difference_t<Out>>(on.runs.size());
    auto n = std::min(left_end - left, right_end - right);
    if (n == 0) return;
    for (; n != 0; --n) {
      const bool right_first = less(*right, *left);
      *front = right_first ? *right : *left;
      ++front;
      right += right_first;
      left += !right_first;
      const bool left_last = less(right_end[-1], left_end[-1]);
      --back;
      *back = left_last ? left_end[-1] : right_end[-1];
      left_end -= left_last;
      right_end -= !left_last;
    }
    if (left > left_end || right > right_end) [[unlikely]] {
      return merge_forward(on, less);
    }
    on.runs = {left, left_end, right, right_end};
    on.out = front;
  }
}

template <class It, class Out, class Less>
void merge_or_throw(const two_runs<It>& runs, Out out, Less less) {
  merge_in_progress<It, Out> on{runs, std::move(out)};
  auto& [left, left_end, right, right_end] = on.runs;
  if (left == left_end || right == right_end || !less(*right, left_end[-1])) return;
  if (less(right_end[-1], *left)) {
    std::swap(left, right);
    std::swap(left_end, right_end);
  } else if constexpr (relocates_by_copy<std::iter_value_t<It>>) {
    merge_inward(on, less);
  } else {
    merge_forward(on, less);
  }
}

// Relocates the elements of both runs to `out`, merged; or in another order if less() throws, or
// `error` says that it has thrown before. Returns what it threw.
template <class It, class Out, class Less>
std::exception_ptr merge_runs(const two_runs<It>& runs, Out out, Less less,
                              std::exception_ptr error = nullptr) noexcept {
  if (error) {
    relocate_runs(runs, out);
  } else {
    attempt([&] { merge_or_throw(runs, out, less); }, [&] { error = std::current_exception(); });
  }
  return error;
}

// An element that was taken out of a range, and the slot that it will be put into.
template <class It>
struct insertion {
  std::iter_value_t<It> value;
  It slot;
  explicit insertion(It at) : value(std::move(*at)), slot(at) {}
  insertion(const insertion&) = delete;
  insertion& operator=(const insertion&) = delete;
  ~insertion() { *slot = std::move(value); }
};
template <class It, class Less>
void insertion_sort(It first, It last, Less less) {
  if (first == last) return;
  for (It next = first + 1; next != last; ++next) {
    if (!less(*next, next[-1])) continue;
    insertion<It> taken{next};
    do {
      *taken.slot = std::move(taken.slot[-1]);
      --taken.slot;
    } while (taken.slot != first && less(taken.value, taken.slot[-1]));
  }
}

// Sorts the n elements from `first` on, in place or into the buffer, which has room for as many.
// Returns what less() threw.
template <class It, class T, class Less>
std::exception_ptr merge_sort(It first, std::size_t n, T* buffer, bool into_buffer,
                              Less less) noexcept {
  const It last = first + static_cast<std::iter_difference_t<It>>(n);
  std::exception_ptr error;
  if (n <= 16) {
    attempt([&] { insertion_sort(first, last, less); }, [&] { error = std::current_exception(); });
    if (into_buffer) relocate_all(first, last, buffer);
    return error;
  }
  const std::size_t half = n / 2;
  const It middle = first + static_cast<std::iter_difference_t<It>>(half);
  error = merge_sort(first, half, buffer, !into_buffer, less);
  std::exception_ptr error_above = merge_sort(middle, n - half, buffer + half, !into_buffer, less);
  if (!error) error = std::move(error_above);
  if (into_buffer) {
    return merge_runs(two_runs<It>{first, middle, middle, last}, buffer, less, std::move(error));
  }
  T* const above = buffer + half;
  return merge_runs(two_runs<T*>{buffer, above, above, buffer + n}, first, less, std::move(error));
}

}  // namespace fencepost::detail
