// Loops and reductions that end early when their std::stop_token is asked to stop.
//
//   const bool all = parallel_for(me, token, files, [](const path& each) { index(each); });
//   if (const std::optional<double> sum = parallel_reduce(me, token, v, 0.0, std::plus<>{})) …
//
// They are those of parallel.hpp, but each worker checks the token before every `grain` elements of
// its part, the first ones included. Once the token has been asked to stop:
//   - a worker that observes this calls no further body of this loop, apart from the fewer than
//     `grain` that remain until its next check: none, if grain is 1;
//   - of each part of a worker, the body has been called for the elements at the beginning, and not
//     for the rest. So of the whole, it may have been called for any elements, once for each;
//   - if the request came before the call, no body is called.
// The loop returns when all bodies that have begun have ended: true if it has called the body for
// every element, false if it has left one out. A reduction returns its value, or nothing if it
// has left out an element. A caller that needs to know which elements were done records that in the
// body. A body that takes long may check the token itself.
//
// Ordering: in addition to that of parallel.hpp, for any threads X that makes the request and Y
// that calls: what X did before the request that made a loop return false happens before that
// return.
//
// Costs: a load for each `grain` elements, which keeps compilers from vectorising across them: give
// a grain of some hundred to a body of a few nanoseconds.
//
// This header is empty where the library has no std::stop_token (__cpp_lib_jthread).
#pragma once

#include <version>

#if defined(__cpp_lib_jthread)
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_grain.hpp"
#include "fencepost/runtime/loop_part.hpp"
#include "fencepost/runtime/parallel.hpp"

namespace fencepost {

namespace detail {

// Calls step(place, n) for the next `turn` elements of a part, `grain` at a time. False if it was
// asked to stop before the end.
template <class Worker, class Place, class Step>
bool go_unless_stopped(const std::stop_token& token, Worker& me, loop_part<Place>& left,
                       std::uint64_t turn, std::uint64_t grain,
                       const Step& step) noexcept(noexcept(step(left.first, grain))) {
  while (turn != 0) {
    if (token.stop_requested()) return false;
    const std::uint64_t n = std::min(turn, grain);
    const loop_part<Place> rest = left.split_after(n);
    step(left.first, n);
    left = rest;
    turn -= n;
  }
  me.poll();
  return true;
}

template <class Worker, class Place, class Loop>
struct stoppable_loop {
  static constexpr bool nothrow = Loop::nothrow;

  Loop calls;
  const std::stop_token& token;

  bool run(Worker& me, loop_part<Place> left) const noexcept(nothrow) {
    loop_rhythm rhythm{calls.grain};
    while (left.size != 0) {
      if (token.stop_requested()) return false;
      if (gives_half(me, left.size, calls.grain)) {
        auto half = me.spawn([this, rest = left.split_after(lower_half(left.size, calls.grain))](
                                 Worker& worker) noexcept(nothrow) { return run(worker, rest); });
        me.share();  // the next element may take long
        const bool lower = run(me, left), upper = me.sync(half);
        return lower && upper;
      }
      const auto step = [this, &me](Place at, std::uint64_t n) noexcept(nothrow) {
        calls.go_through(me, at, n);
      };
      if (!go_unless_stopped(token, me, left, rhythm.turn(left.size), calls.grain, step)) {
        return false;
      }
    }
    return true;
  }
};

template <class Worker, class Place, class T, class Accumulate, class Combine>
struct stoppable_reduction {
  using reduction = parallel_reduction<Worker, Place, T, Accumulate, Combine>;
  static constexpr bool nothrow = reduction::nothrow && std::is_nothrow_move_constructible_v<T> &&
                                  std::is_nothrow_move_assignable_v<T>;

  reduction calls;
  const std::stop_token& token;

  std::optional<T> run(Worker& me, loop_part<Place> left, T value) const noexcept(nothrow) {
    loop_rhythm rhythm{calls.grain};
    while (left.size != 0) {
      if (token.stop_requested()) return std::nullopt;
      if (gives_half(me, left.size, calls.grain)) {
        auto half = me.spawn(
            [this, rest = left.split_after(lower_half(left.size, calls.grain))](
                Worker& worker) noexcept(nothrow) { return run(worker, rest, calls.identity); });
        me.share();
        std::optional<T> lower = run(me, left, std::move(value)), upper = me.sync(half);
        if (!lower || !upper) return std::nullopt;
        return call_body(calls.combine, me, std::move(*lower), std::move(*upper));
      }
      const auto step = [this, &me, &value](Place at, std::uint64_t n) noexcept(nothrow) {
        value = calls.go_through(me, at, n, std::move(value));
      };
      if (!go_unless_stopped(token, me, left, rhythm.turn(left.size), calls.grain, step)) {
        return std::nullopt;
      }
    }
    return value;
  }
};

template <template <class, class, class> class Loop = parallel_loop, class Where, class Place,
          class Body>
bool run_stoppable_loop(Where& where, const std::stop_token& token, const loop_part<Place>& all,
                        Body& body, loop_grain grain) {
  return with_worker(where, [&]<class Worker>(Worker& me) {
    using loop = Loop<Worker, Place, Body>;
    return stoppable_loop<Worker, Place, loop>{{body, grain.elements()}, token}.run(me, all);
  });
}

template <class Where, class Place, class T, class Accumulate, class Combine>
std::optional<T> run_stoppable_reduction(Where& where, const std::stop_token& token,
                                         const loop_part<Place>& all, const T& identity,
                                         Accumulate& accumulate, Combine& combine,
                                         loop_grain grain) {
  check_reduced<T>();
  return with_worker(where, [&]<class Worker>(Worker& me) {
    return stoppable_reduction<Worker, Place, T, Accumulate, Combine>{
        {identity, accumulate, combine, grain.elements()}, token}
        .run(me, all, identity);
  });
}

}  // namespace detail

// Returns whether the body was called for every element; see above.
template <class Worker, class I, class J, class Body>
requires(detail::loop_bounds<I, J>) bool parallel_for(Worker& me, const std::stop_token& token,
                                                      I first, J last, Body&& body,
                                                      loop_grain grain = 1) {
  return detail::run_stoppable_loop(me, token, detail::part_of(first, last), body, grain);
}
template <class Worker, detail::loop_range R, class Body>
bool parallel_for(Worker& me, const std::stop_token& token, R&& range, Body&& body,
                  loop_grain grain = 1) {
  return detail::run_stoppable_loop(me, token, detail::part_of(range), body, grain);
}

// The same in blocks of `grain` elements at most; the worker checks the token before each.
template <class Worker, class I, class J, class Body>
requires(detail::loop_bounds<I, J>) bool parallel_for_blocks(Worker& me,
                                                             const std::stop_token& token, I first,
                                                             J last, Body&& body,
                                                             loop_grain grain = 1) {
  return detail::run_stoppable_loop<detail::parallel_block_loop>(
      me, token, detail::part_of(first, last), body, grain);
}
template <class Worker, detail::loop_range R, class Body>
bool parallel_for_blocks(Worker& me, const std::stop_token& token, R&& range, Body&& body,
                         loop_grain grain = 1) {
  return detail::run_stoppable_loop<detail::parallel_block_loop>(me, token, detail::part_of(range),
                                                                 body, grain);
}

// Returns the value, if it includes all elements.
template <class Worker, class I, class J, class T, class Accumulate, class Combine>
requires(detail::loop_bounds<I, J> && !std::integral<std::remove_cvref_t<Combine>>)
    std::optional<T> parallel_reduce(Worker& me, const std::stop_token& token, I first, J last,
                                     T identity, Accumulate&& accumulate, Combine&& combine,
                                     loop_grain grain = 1) {
  return detail::run_stoppable_reduction(me, token, detail::part_of(first, last), identity,
                                         accumulate, combine, grain);
}
template <class Worker, class I, class J, class T, class Combine>
requires(detail::loop_bounds<I, J>) std::optional<T> parallel_reduce(Worker& me,
                                                                     const std::stop_token& token,
                                                                     I first, J last, T identity,
                                                                     Combine&& combine,
                                                                     loop_grain grain = 1) {
  return detail::run_stoppable_reduction(me, token, detail::part_of(first, last), identity, combine,
                                         combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Accumulate, class Combine>
requires(!std::integral<std::remove_cvref_t<Combine>>) std::optional<T> parallel_reduce(
    Worker& me, const std::stop_token& token, R&& range, T identity, Accumulate&& accumulate,
    Combine&& combine, loop_grain grain = 1) {
  return detail::run_stoppable_reduction(me, token, detail::part_of(range), identity, accumulate,
                                         combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Combine>
std::optional<T> parallel_reduce(Worker& me, const std::stop_token& token, R&& range, T identity,
                                 Combine&& combine, loop_grain grain = 1) {
  return detail::run_stoppable_reduction(me, token, detail::part_of(range), identity, combine,
                                         combine, grain);
}

}  // namespace fencepost
#endif
