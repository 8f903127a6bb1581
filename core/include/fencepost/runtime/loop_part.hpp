// What parallel loops go through: integers, or the elements between two iterators or of a range,
// given as a place in a sequence and the number of elements from there on.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <ranges>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/exceptions.hpp"

namespace fencepost::detail {

// Any integer type but bool; integer_place requires at most 64 bits.
template <class I>
concept loop_integer = std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool>;

// An integer as a place in a sequence. It wraps round, so that one past the largest is a place too.
template <class I>
struct integer_place {
  static_assert(sizeof(I) <= sizeof(std::uint64_t), "integers of at most 64 bits");
  std::uint64_t at;
  I operator*() const noexcept { return static_cast<I>(at); }
  integer_place operator+(std::uint64_t n) const noexcept { return {at + n}; }
  I bound() const noexcept { return **this; }  // as the first or last of a block

  // Calls f(integer) for n integers. Counts in their own type, as a loop written by hand does:
  // compilers do not vectorise a loop that counts in another type and converts. No part extends
  // beyond the last integer.
  template <class F>
  void each(std::uint64_t n, F&& f) const {
    const I end = *(*this + n);
    for (I i = **this; i < end; ++i) f(I{i});
  }
  // Computes value = f(value, integer) for n integers; returns the last value.
  template <class T, class F>
  T fold(std::uint64_t n, T value, F&& f) const {
    const I end = *(*this + n);
    for (I i = **this; i < end; ++i) value = f(std::move(value), I{i});
    return value;
  }
};

template <std::random_access_iterator It>
struct iterator_place {
  It at;
  decltype(auto) operator*() const { return *at; }
  iterator_place operator+(std::uint64_t n) const {
    return {at + static_cast<std::iter_difference_t<It>>(n)};
  }
  const It& bound() const noexcept { return at; }

  template <class F>
  void each(std::uint64_t n, F&& f) const {
    for (It it = at; n != 0; --n, ++it) f(*it);
  }
  template <class T, class F>
  T fold(std::uint64_t n, T value, F&& f) const {
    for (It it = at; n != 0; --n, ++it) value = f(std::move(value), *it);
    return value;
  }
};

// A part of what is looped over.
template <class Place>
struct loop_part {
  Place first;
  std::uint64_t size;

  // Keeps the first n, and returns the rest.
  loop_part split_after(std::uint64_t n) {
    loop_part rest{first + n, size - n};
    size = n;
    return rest;
  }
};

template <loop_integer I, loop_integer J>
auto part_of(I first, J last) {
  using common = std::common_type_t<I, J>;
  using promoted = decltype(+std::declval<common>());  // what std::cmp_less and in_range compare
  if (!std::cmp_less(+first, +last)) return loop_part<integer_place<common>>{{0}, 0};
  if (!std::in_range<promoted>(+first)) {
    detail::raise<std::invalid_argument>(
        "parallel loop: it begins below zero and ends with an unsigned number; make both signed");
  }
  const auto bits = [](auto of) {
    return static_cast<std::uint64_t>(static_cast<promoted>(static_cast<common>(of)));
  };
  return loop_part<integer_place<common>>{{bits(first)}, bits(last) - bits(first)};
}

template <std::random_access_iterator It, std::sized_sentinel_for<It> End>
auto part_of(It first, End last) {
  const auto size = last - first;
  return loop_part<iterator_place<It>>{{std::move(first)},
                                       size > 0 ? static_cast<std::uint64_t>(size) : 0};
}

template <class R>
concept loop_range = std::ranges::random_access_range<R> && std::ranges::sized_range<R>;

template <loop_range R>
auto part_of(R&& range) {
  using place = iterator_place<std::ranges::iterator_t<R>>;
  return loop_part<place>{{std::ranges::begin(range)},
                          static_cast<std::uint64_t>(std::ranges::size(range))};
}

// Checks what an algorithm writes to: workers write to adjacent elements at the same time.
template <std::random_access_iterator Out>
constexpr void check_output() noexcept {
  static_assert(!std::is_same_v<std::iter_reference_t<Out>, std::vector<bool>::reference>,
                "std::vector<bool> packs its elements: two workers that write to different ones "
                "write to the same memory; use a std::vector of char");
}

template <class I, class J>
concept loop_bounds = requires(I first, J last) {
  part_of(first, last);
};

}  // namespace fencepost::detail
