// std::inclusive_scan and std::exclusive_scan, shared among the workers of a fork-join runtime: the
// sums of all prefixes, or what another associative operation makes of the prefixes.
//
//   parallel_inclusive_scan(me, in.begin(), in.end(), out.begin());             running totals
//   parallel_exclusive_scan(me, lengths, offsets.begin(), std::size_t{0});      where each begins
//   parallel_inclusive_scan(me, in.begin(), in.end(), out.begin(), compose);    any operation
//
//   in            3    1    4    1    5
//   inclusive     3    4    8    9   14      op(op(3, 1), 4) …
//   exclusive     0    3    4    8    9      op(op(init, 3), 1) …
//
// The input is what parallel_for takes, integers included; `out` is a random access iterator, to
// the first element of the input or outside it, but not to a later element. Returns the end of what
// was written. The operation is associative, need not be commutative, and may take the worker
// first, as a body does. It is called with two values, or with a value and an element, at most
// twice for each element, in any order, and concurrently; a value has the type of `init`, or
// without one that of the elements, whatever the type in `out`. Floating point numbers, whose
// addition is not quite associative, may differ from run to run.
//
// How the workers share it: block_scan.hpp. One worker alone makes one pass; elements that another
// worker takes need two.
//
// `grain` is the smallest number of elements that is worth a task, as for parallel_for: more than 1
// where loops are short.
//
// With a std::stop_token after the worker, a scan may end early: it returns the end of what was
// written, or nothing if the token was asked to stop before the return; then the contents of `out`
// are unspecified. Such a scan has an initial value. A worker checks the token before each block;
// there are up to a thousand, of at least `grain` elements.
//
//   const auto end = parallel_inclusive_scan(me, token, in, out.begin(), std::plus<>{}, 0);
//
// An exception that leaves the operation is rethrown, one of them if there are several; by then no
// call is running any more, and the contents of `out` are unspecified.
//
// Ordering, threads, progress: as parallel_for (parallel.hpp). Costs: a spawn and a sync for each
// doubling of the length, or for each steal, and scratch memory for up to a thousand sums.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/block_scan.hpp"
#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_grain.hpp"
#include "fencepost/runtime/loop_part.hpp"
#include "fencepost/runtime/stop_condition.hpp"

namespace fencepost {

namespace detail {

enum class scan_kind { inclusive, exclusive };

// What a scan does with blocks of elements: block_scan.hpp.
template <scan_kind Kind, class Worker, class Place, class Out, class T, class Op>
class element_scan {
  using element = decltype(*std::declval<const Place&>());

 public:
  using value = T;
  static constexpr bool nothrow =
      noexcept(call_body(std::declval<Op&>(), std::declval<Worker&>(), std::declval<const T&>(),
                         std::declval<element>()))&& noexcept(call_body(std::declval<Op&>(),
                                                                        std::declval<Worker&>(),
                                                                        std::declval<const T&>(),
                                                                        std::declval<T&>())) &&
      std::is_nothrow_constructible_v<T, element> && std::is_nothrow_move_constructible_v<T> &&
      std::is_nothrow_copy_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
      std::is_nothrow_assignable_v<std::iter_reference_t<Out>, const T&>;

  element_scan(Place first, const block_division& division, Out out, Op& op) noexcept
      : first_(std::move(first)), division_(division), out_(std::move(out)), op_(op) {}

  T pass(Worker& me, scan_blocks some, T carry) const noexcept(nothrow) {
    const loop_part<Place> elements = elements_of(some);
    called_in_loop<Op, Worker, const T&, element> call = op_;
    Out to = out_ + static_cast<std::iter_difference_t<Out>>(division_.begin_of(some));
    return elements.first.fold(
        elements.size, std::move(carry), [&call, &me, &to](T&& before, auto&& each) -> T {
          T after = call_body(call, me, std::as_const(before), std::forward<decltype(each)>(each));
          if constexpr (Kind == scan_kind::inclusive) {
            *to = std::as_const(after);
          } else {
            *to = std::move(before);
          }
          ++to;
          return after;
        });
  }
  void pass_again(Worker& me, scan_blocks some, T carry) const noexcept(nothrow) {
    static_cast<void>(pass(me, some, std::move(carry)));
  }
  T sum(Worker& me, scan_blocks some) const noexcept(nothrow) {
    const loop_part<Place> elements = elements_of(some);
    called_in_loop<Op, Worker, const T&, element> call = op_;
    return (elements.first + 1)
        .fold(elements.size - 1, T(*elements.first), [&call, &me](T&& before, auto&& each) -> T {
          return call_body(call, me, std::as_const(before), std::forward<decltype(each)>(each));
        });
  }
  T add(Worker& me, const T& before, T& sum) const noexcept(nothrow) {
    return call_body(op_, me, before, sum);
  }

 private:
  loop_part<Place> elements_of(scan_blocks some) const {
    return {first_ + division_.begin_of(some), division_.size_of(some)};
  }

  Place first_;
  block_division division_;
  Out out_;
  Op& op_;
};

template <scan_kind Kind, class Where, class Place, class Out, class T, class Op,
          class Stop = never_stopped>
Out run_scan(Where& where, const loop_part<Place>& all, Out out, Op& op, T carry,
             loop_grain grain = 1, Stop stop = {}) {
  check_output<Out>();
  Out end = out + static_cast<std::iter_difference_t<Out>>(all.size);
  const auto division = block_division::of(all.size, grain.elements(), most_blocks_of(sizeof(T)));
  with_worker(where, [&]<class Worker>(Worker& me) {
    using work = element_scan<Kind, Worker, Place, Out, T, Op>;
    const work elements{all.first, division, std::move(out), op};
    static_cast<void>(
        block_scan<Worker, work, Stop>{elements, stop}.run(me, division.blocks, std::move(carry)));
  });
  return end;
}

#if defined(__cpp_lib_jthread)
template <scan_kind Kind, class Worker, class Place, class Out, class T, class Op>
std::optional<Out> run_stoppable_scan(Worker& me, const std::stop_token& token,
                                      const loop_part<Place>& all, Out out, Op& op, T carry,
                                      loop_grain grain) {
  Out end = run_scan<Kind>(me, all, std::move(out), op, std::move(carry), grain, stopped_by{token});
  if (token.stop_requested()) return std::nullopt;
  return end;
}
#endif

// Uses the first element as the initial value for the others.
template <class Worker, class Place, class Out, class Op>
Out run_inclusive_scan(Worker& me, loop_part<Place> all, Out out, Op& op) {
  if (all.size == 0) return out;
  const loop_part<Place> rest = all.split_after(1);
  std::remove_cvref_t<decltype(*all.first)> carry(*all.first);
  *out = std::as_const(carry);
  ++out;
  return run_scan<scan_kind::inclusive>(me, rest, std::move(out), op, std::move(carry));
}

}  // namespace detail

// Writes op(…op(op(e0, e1), e2)…, eN) for each element eN, in values of the elements' type.
template <class Worker, class I, class J, std::random_access_iterator Out, class Op = std::plus<>>
requires(detail::loop_bounds<I, J>) Out
    parallel_inclusive_scan(Worker& me, I first, J last, Out out, Op&& op = {}) {
  return detail::run_inclusive_scan(me, detail::part_of(first, last), std::move(out), op);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out,
          class Op = std::plus<>>
Out parallel_inclusive_scan(Worker& me, R&& range, Out out, Op&& op = {}) {
  return detail::run_inclusive_scan(me, detail::part_of(range), std::move(out), op);
}
// Writes op(…op(op(init, e0), e1)…, eN), in values of the type of init.
template <class Worker, class I, class J, std::random_access_iterator Out, class Op, class T>
requires(detail::loop_bounds<I, J>) Out
    parallel_inclusive_scan(Worker& me, I first, J last, Out out, Op&& op, T init,
                            loop_grain grain = 1) {
  return detail::run_scan<detail::scan_kind::inclusive>(me, detail::part_of(first, last),
                                                        std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class Op, class T>
Out parallel_inclusive_scan(Worker& me, R&& range, Out out, Op&& op, T init, loop_grain grain = 1) {
  return detail::run_scan<detail::scan_kind::inclusive>(me, detail::part_of(range), std::move(out),
                                                        op, std::move(init), grain);
}

// Writes op(…op(op(init, e0), e1)…, eM) for each element eN, where eM is the one before it; init
// for the first.
template <class Worker, class I, class J, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
requires(detail::loop_bounds<I, J>) Out
    parallel_exclusive_scan(Worker& me, I first, J last, Out out, T init, Op&& op = {},
                            loop_grain grain = 1) {
  return detail::run_scan<detail::scan_kind::exclusive>(me, detail::part_of(first, last),
                                                        std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
Out parallel_exclusive_scan(Worker& me, R&& range, Out out, T init, Op&& op = {},
                            loop_grain grain = 1) {
  return detail::run_scan<detail::scan_kind::exclusive>(me, detail::part_of(range), std::move(out),
                                                        op, std::move(init), grain);
}

#if defined(__cpp_lib_jthread)
template <class Worker, class I, class J, std::random_access_iterator Out, class Op, class T>
requires(detail::loop_bounds<I, J>) std::optional<Out> parallel_inclusive_scan(
    Worker& me, const std::stop_token& token, I first, J last, Out out, Op&& op, T init,
    loop_grain grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::inclusive>(
      me, token, detail::part_of(first, last), std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class Op, class T>
std::optional<Out> parallel_inclusive_scan(Worker& me, const std::stop_token& token, R&& range,
                                           Out out, Op&& op, T init, loop_grain grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::inclusive>(
      me, token, detail::part_of(range), std::move(out), op, std::move(init), grain);
}
template <class Worker, class I, class J, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
requires(detail::loop_bounds<I, J>) std::optional<Out> parallel_exclusive_scan(
    Worker& me, const std::stop_token& token, I first, J last, Out out, T init, Op&& op = {},
    loop_grain grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::exclusive>(
      me, token, detail::part_of(first, last), std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
std::optional<Out> parallel_exclusive_scan(Worker& me, const std::stop_token& token, R&& range,
                                           Out out, T init, Op&& op = {}, loop_grain grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::exclusive>(
      me, token, detail::part_of(range), std::move(out), op, std::move(init), grain);
}
#endif

}  // namespace fencepost
