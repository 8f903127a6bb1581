// Loops, reductions and calls that a worker of a fork-join runtime shares with the others.
//
//   parallel_for(me, 0, n, [&](int i) { out[i] = f(in[i]); });
//   parallel_for(me, images, [](image& each) { each.sharpen(); });
//   const double sum = parallel_reduce(me, v.begin(), v.end(), 0.0, std::plus<>{});
//   parallel_invoke(me, [&] { left(); }, [&] { right(); });
//
// `me` is the worker that the calling task was given. What is looped over are integers, first up
// to but without last, or the elements between two random access iterators, or of a random access
// range whose size is known. Nothing is done where last is not after first.
//
// A body is called with an element, or with (worker, element), where the worker is the one that
// runs it: to spawn, or for a loop in the loop. All calls are of the same object, some at the same
// time, or, if copying it is trivial, of const copies; neither their order nor their number of
// threads is known. The element is what * of the iterator gives; an integer, which is a copy, has
// the common type of first and last.
//
// How much a task gets: there is no size of parts to choose. A worker goes through its part a few
// elements at a time, and gives half of what is left away whenever it has nothing else that others
// could take. It looks for that after 1, 2, 4, … 4096 elements; at most an eighth of what is left
// at a time, unless that is less than a sixteenth of what it has done: so whoever waits for work
// waits for a small part of what is done anyway. A loop that nobody helps with has a task for each
// doubling of its length, not for each element; one whose elements take very different times is
// divided where the time is; and a loop in a loop is divided only when the outer one is not enough.
// `grain` is the least that is worth a task, or a look: 1, or more where elements take a few
// nanoseconds and loops are short. That two elements run at the same time is not promised: one must
// not wait for another.
//
// An exception that leaves a body is thrown by the loop, one of them if several do. Of the elements
// that then had not begun, some or all are left out; all that had begun have ended.
//
// Ordering: for any threads X that calls and Y that runs bodies, what X did before the call is
// visible to all bodies, and what they did is visible to X when it returns or throws. Bodies are
// not ordered with each other.
//
// Threads: a task, with its own worker. Progress: as spawn() and sync() of the worker.
// Costs: a spawn and a sync for each doubling of the length, or for each steal; no allocation,
// unless a result does not fit a task's slot. What compilers vectorise in a loop written by hand
// they vectorise here, if the body captures by value what it needs. Source: A. Tzannes, G. Caragea,
// R. Barua, U. Vishkin, "Lazy binary-splitting" (PPoPP 2010), with a period of looking that grows.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ranges>
#include <type_traits>
#include <utility>

#include "fencepost/exceptions.hpp"

namespace fencepost {

namespace detail {

// All but bool, and at most 64 bits.
template <class I>
concept loop_integer = std::integral<I> && !std::same_as<std::remove_cv_t<I>, bool>;

// An integer as a place in a sequence. It wraps round, so that one past the largest is a place too.
template <class I>
struct integer_place {
  static_assert(sizeof(I) <= sizeof(std::uint64_t), "integers of at most 64 bits");
  std::uint64_t at;
  I operator*() const noexcept { return static_cast<I>(at); }
  integer_place operator+(std::uint64_t n) const noexcept { return {at + n}; }

  // f(integer) for n of them. Counts in their own type, as a loop written by hand: compilers do not
  // vectorise one that counts in another type and converts. No part ends after the last integer.
  template <class F>
  void each(std::uint64_t n, F&& f) const {
    const I end = *(*this + n);
    for (I i = **this; i < end; ++i) f(I{i});
  }
  // value = f(value, integer) for n of them.
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

  // Keeps the first n; the rest.
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

template <class I, class J>
concept loop_bounds = requires(I first, J last) {
  part_of(first, last);
};

template <class Body, class Worker, class... Arguments>
concept wants_worker = std::invocable<Body&, Worker&, Arguments...>;

// Calls body(me, arguments...), or body(arguments...) if it does not ask for the worker.
template <class Body, class Worker, class... Arguments>
decltype(auto) call_body(Body& body, Worker& me, Arguments&&... arguments) noexcept(
    wants_worker<Body, Worker, Arguments...>
        ? std::is_nothrow_invocable_v<Body&, Worker&, Arguments...>
        : std::is_nothrow_invocable_v<Body&, Arguments...>) {
  if constexpr (wants_worker<Body, Worker, Arguments...>) {
    return std::invoke(body, me, std::forward<Arguments>(arguments)...);
  } else {
    return std::invoke(body, std::forward<Arguments>(arguments)...);
  }
}

// A callable as a loop calls it: a copy, if it is a small one like a lambda's that captures
// pointers, numbers and references, and cannot change. Otherwise compilers must assume that a body
// which writes bytes, say, changes what it has captured, and do not vectorise. Whether there is a
// copy cannot be told but by the address of the callable.
template <class F, class Worker, class... Arguments>
using called_in_loop =
    std::conditional_t<std::is_trivially_copy_constructible_v<F> &&
                           std::is_trivially_destructible_v<F> && sizeof(F) <= 64 &&
                           (wants_worker<const F, Worker, Arguments...> ||
                            std::invocable<const F&, Arguments...>),
                       const F, F&>;

// Of many elements, a number that vectorised loops end with, and that leaves the next ones aligned.
constexpr std::uint64_t whole_vectors(std::uint64_t n) noexcept { return n < 256 ? n : n - n % 64; }

// How a worker goes through its part: how many elements before it looks again whether it should
// give half away.
class loop_rhythm {
 public:
  explicit loop_rhythm(std::uint64_t grain) noexcept : grain_(grain) {}

  // 1, 1, 2, 4, …: together powers of two, so that a part that begins where vectors are aligned
  // goes on so.
  std::uint64_t turn(std::uint64_t left) noexcept {
    const std::uint64_t next = std::clamp<std::uint64_t>(done_, 1, most);
    const std::uint64_t wish = std::max(std::min(next, left / 8), std::min(done_ / 16, most));
    const std::uint64_t n = std::min(std::max(grain_, whole_vectors(wish)), left);
    done_ += n;
    return n;
  }

 private:
  static constexpr std::uint64_t most = 4096;
  std::uint64_t grain_;
  std::uint64_t done_ = 0;
};

// How much the worker that gives half of it away keeps: the grain at least, if gives_half().
constexpr std::uint64_t lower_half(std::uint64_t size, std::uint64_t grain) noexcept {
  return std::max(whole_vectors(size - size / 2), grain);
}

// Whether half of a part is to be given away: both halves are worth a task, and `me` has none.
template <class Worker>
bool gives_half(Worker& me, std::uint64_t left, std::uint64_t grain) noexcept {
  return left / 2 >= grain && me.wants_tasks();
}

// What all tasks of a loop have in common. It is on the stack of the one that called the loop.
template <class Worker, class Place, class Body>
struct parallel_loop {
  static constexpr bool nothrow =
      noexcept(call_body(std::declval<Body&>(), std::declval<Worker&>(), *std::declval<Place&>()));
  using part = loop_part<Place>;

  Body& body;
  std::uint64_t grain;

  // By value: what the body writes to is something else.
  void go_through(Worker& me, Place at, std::uint64_t n) const noexcept(nothrow) {
    called_in_loop<Body, Worker, decltype(*at)> call = body;
    at.each(n, [&call, &me](auto&& element) noexcept(nothrow) {
      call_body(call, me, std::forward<decltype(element)>(element));
    });
  }

  void run(Worker& me, part all) const noexcept(nothrow) {
    loop_rhythm rhythm{grain};
    while (all.size != 0) {
      if (gives_half(me, all.size, grain)) {
        auto half = me.spawn([this, rest = all.split_after(lower_half(all.size, grain))](
                                 Worker& worker) noexcept(nothrow) { run(worker, rest); });
        me.share();  // the next element may take long
        run(me, all);
        me.sync(half);
        return;
      }
      const std::uint64_t n = rhythm.turn(all.size);
      const part rest = all.split_after(n);
      go_through(me, all.first, n);
      all = rest;
      me.poll();
    }
  }
};

template <class Worker, class Place, class T, class Accumulate, class Combine>
struct parallel_reduction {
  static constexpr bool nothrow =
      noexcept(std::declval<T&>() = call_body(
                   std::declval<Accumulate&>(), std::declval<Worker&>(), std::declval<T>(),
                   *std::declval<Place&>()))&& noexcept(T(call_body(std::declval<Combine&>(),
                                                                    std::declval<Worker&>(),
                                                                    std::declval<T>(),
                                                                    std::declval<T>()))) &&
      std::is_nothrow_copy_constructible_v<T>;
  using part = loop_part<Place>;

  const T& identity;
  Accumulate& accumulate;
  Combine& combine;
  std::uint64_t grain;

  T go_through(Worker& me, Place at, std::uint64_t n, T value) const noexcept(nothrow) {
    called_in_loop<Accumulate, Worker, T, decltype(*at)> call = accumulate;
    return at.fold(n, std::move(value),
                   [&call, &me](T&& before, auto&& element) noexcept(nothrow) -> decltype(auto) {
                     return call_body(call, me, std::move(before),
                                      std::forward<decltype(element)>(element));
                   });
  }

  // What comes before the part is in `value`.
  T run(Worker& me, part all, T value) const noexcept(nothrow) {
    loop_rhythm rhythm{grain};
    while (all.size != 0) {
      if (gives_half(me, all.size, grain)) {
        auto half =
            me.spawn([this, rest = all.split_after(lower_half(all.size, grain))](
                         Worker& worker) noexcept(nothrow) { return run(worker, rest, identity); });
        me.share();  // the next element may take long
        T left = run(me, all, std::move(value));
        return call_body(combine, me, std::move(left), me.sync(half));
      }
      const std::uint64_t n = rhythm.turn(all.size);
      const part rest = all.split_after(n);
      value = go_through(me, all.first, n, std::move(value));
      all = rest;
      me.poll();
    }
    return value;
  }
};

template <class Worker, class Place, class Body>
void run_loop(Worker& me, const loop_part<Place>& all, Body& body, std::size_t grain) {
  parallel_loop<Worker, Place, Body>{body, grain == 0 ? 1 : grain}.run(me, all);
}

template <class Worker, class Place, class T, class Accumulate, class Combine>
T run_reduction(Worker& me, const loop_part<Place>& all, T& identity, Accumulate& accumulate,
                Combine& combine, std::size_t grain) {
  const T& kept = identity;
  return parallel_reduction<Worker, Place, T, Accumulate, Combine>{kept, accumulate, combine,
                                                                   grain == 0 ? 1 : grain}
      .run(me, all, kept);
}

}  // namespace detail

// body(element), or body(worker, element), for every element; see above.
template <class Worker, class I, class J, class Body>
requires(detail::loop_bounds<I, J>) void parallel_for(Worker& me, I first, J last, Body&& body,
                                                      std::size_t grain = 1) {
  detail::run_loop(me, detail::part_of(first, last), body, grain);
}
template <class Worker, detail::loop_range R, class Body>
void parallel_for(Worker& me, R&& range, Body&& body, std::size_t grain = 1) {
  detail::run_loop(me, detail::part_of(range), body, grain);
}

// accumulate(accumulate(…(identity, e0)…), eN), in parts, each from the identity, whose values are
// combined: combine(left, right), left being of the elements that come first. So combine() need
// not be commutative, but it must not matter where parts begin: both calls are associative, and
// the identity changes nothing. Where it does, floating point numbers included, the result differs
// from run to run. Both may ask for the worker, first, as a body does.
template <class Worker, class I, class J, class T, class Accumulate, class Combine>
requires(detail::loop_bounds<I, J> && !std::integral<std::remove_cvref_t<Combine>>) T
    parallel_reduce(Worker& me, I first, J last, T identity, Accumulate&& accumulate,
                    Combine&& combine, std::size_t grain = 1) {
  return detail::run_reduction(me, detail::part_of(first, last), identity, accumulate, combine,
                               grain);
}
// One operation does both.
template <class Worker, class I, class J, class T, class Combine>
requires(detail::loop_bounds<I, J>) T
    parallel_reduce(Worker& me, I first, J last, T identity, Combine&& combine) {
  return detail::run_reduction(me, detail::part_of(first, last), identity, combine, combine, 1);
}
template <class Worker, detail::loop_range R, class T, class Accumulate, class Combine>
T parallel_reduce(Worker& me, R&& range, T identity, Accumulate&& accumulate, Combine&& combine,
                  std::size_t grain = 1) {
  return detail::run_reduction(me, detail::part_of(range), identity, accumulate, combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Combine>
T parallel_reduce(Worker& me, R&& range, T identity, Combine&& combine) {
  return detail::run_reduction(me, detail::part_of(range), identity, combine, combine, 1);
}

// Calls all of them, each with the worker or with nothing, perhaps at once; the first one here.
// Their results are not kept: join() of the worker has them.
template <class Worker, class... Calls>
void parallel_invoke(Worker& me, Calls&&... calls) {
  if constexpr (sizeof...(Calls) != 0) {
    static_cast<void>(
        me.join([&calls](Worker& worker) noexcept(noexcept(detail::call_body(calls, worker))) {
          static_cast<void>(detail::call_body(calls, worker));
        }...));
  }
}

}  // namespace fencepost
