// std::transform, shared among the workers of a fork-join runtime.
//
//   parallel_transform(me, in.begin(), in.end(), out.begin(), [](int i) { return i * i; });
//   parallel_transform(me, prices, amounts.begin(), costs.begin(), std::multiplies<>{});
//
// Writes f(element), or f(element, element of the other sequence), for every element, to the same
// position from `out` on; returns the end of what it has written. The input is what parallel_for
// takes, integers included, and f is treated as a body is there: the same holds for its arguments
// and calls, for exceptions, ordering, threads, progress, costs, grain and vectorisation
// (parallel.hpp). `out` and `other` are random access iterators, each with as many elements as the
// input. `out` may begin where the input, or the other sequence, begins; it must not begin
// elsewhere within them. If the call throws, some of the results have been written.
#pragma once

#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_grain.hpp"
#include "fencepost/runtime/loop_part.hpp"

namespace fencepost {

namespace detail {

// The same place in two sequences.
template <class Place, class Other>
struct place_in_both {
  Place at;
  Other other;

  place_in_both operator+(std::uint64_t n) const {
    return {at + n, other + static_cast<std::iter_difference_t<Other>>(n)};
  }
  // Calls f(element, iterator into the other sequence) for n elements.
  template <class F>
  void each(std::uint64_t n, F&& f) const {
    Other beside = other;
    at.each(n, [&f, &beside](auto&& element) {
      f(std::forward<decltype(element)>(element), beside);
      ++beside;
    });
  }
};

// Elements: what f is called with.
template <class Worker, class Out, class F, class... Elements>
struct parallel_transformation {
  using result =
      decltype(call_body(std::declval<F&>(), std::declval<Worker&>(), std::declval<Elements>()...));
  static constexpr bool nothrow = noexcept(call_body(std::declval<F&>(), std::declval<Worker&>(),
                                                     std::declval<Elements>()...)) &&
                                  std::is_nothrow_assignable_v<std::iter_reference_t<Out>, result>;

  F& f;
  std::uint64_t grain;

  template <class Place>
  void go_through(Worker& me, place_in_both<Place, Out> all, std::uint64_t n) const
      noexcept(nothrow) {
    called_in_loop<F, Worker, Elements...> call = f;
    all.each(n, [&call, &me](auto&& element, Out& to) {
      *to = call_body(call, me, std::forward<decltype(element)>(element));
    });
  }
  template <class Place, class Other>
  void go_through(Worker& me, place_in_both<place_in_both<Place, Other>, Out> all,
                  std::uint64_t n) const noexcept(nothrow) {
    called_in_loop<F, Worker, Elements...> call = f;
    Out to = all.other;
    all.at.each(n, [&call, &me, &to](auto&& element, Other& other) {
      *to = call_body(call, me, std::forward<decltype(element)>(element), *other);
      ++to;
    });
  }
};

template <class Where, class Place, class Out, class F>
Out run_transformation(Where& where, const loop_part<Place>& all, Out out, F& f, loop_grain grain) {
  check_output<Out>();
  const Out end = out + static_cast<std::iter_difference_t<Out>>(all.size);
  with_worker(where, [&]<class Worker>(Worker& me) {
    divide(parallel_transformation<Worker, Out, F, decltype(*all.first)>{f, grain.elements()}, me,
           loop_part<place_in_both<Place, Out>>{{all.first, std::move(out)}, all.size});
  });
  return end;
}

template <class Where, class Place, class Other, class Out, class F>
Out run_transformation(Where& where, const loop_part<Place>& all, Other other, Out out, F& f,
                       loop_grain grain) {
  using place = place_in_both<place_in_both<Place, Other>, Out>;
  check_output<Out>();
  const Out end = out + static_cast<std::iter_difference_t<Out>>(all.size);
  with_worker(where, [&]<class Worker>(Worker& me) {
    divide(
        parallel_transformation<Worker, Out, F, decltype(*all.first), decltype(*other)>{
            f, grain.elements()},
        me, loop_part<place>{{{all.first, std::move(other)}, std::move(out)}, all.size});
  });
  return end;
}

}  // namespace detail

// Transforms one sequence; see above.
template <class Worker, class I, class J, std::random_access_iterator Out, class F>
requires(detail::loop_bounds<I, J> && !std::random_access_iterator<std::remove_cvref_t<F>>) Out
    parallel_transform(Worker& me, I first, J last, Out out, F&& f, loop_grain grain = 1) {
  return detail::run_transformation(me, detail::part_of(first, last), std::move(out), f, grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class F>
requires(!std::random_access_iterator<std::remove_cvref_t<F>>) Out
    parallel_transform(Worker& me, R&& range, Out out, F&& f, loop_grain grain = 1) {
  return detail::run_transformation(me, detail::part_of(range), std::move(out), f, grain);
}

// Transforms two sequences, the other as long as the first.
template <class Worker, class I, class J, std::random_access_iterator Other,
          std::random_access_iterator Out, class F>
requires(detail::loop_bounds<I, J>) Out parallel_transform(Worker& me, I first, J last, Other other,
                                                           Out out, F&& f, loop_grain grain = 1) {
  return detail::run_transformation(me, detail::part_of(first, last), std::move(other),
                                    std::move(out), f, grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Other,
          std::random_access_iterator Out, class F>
Out parallel_transform(Worker& me, R&& range, Other other, Out out, F&& f, loop_grain grain = 1) {
  return detail::run_transformation(me, detail::part_of(range), std::move(other), std::move(out), f,
                                    grain);
}

}  // namespace fencepost
