// Loops, reductions and calls that a worker of a fork-join runtime shares with the others.
//
//   parallel_for(me, 0, n, [&](int i) { out[i] = f(in[i]); });
//   parallel_for(me, images, [](image& each) { each.sharpen(); });
//   parallel_for_blocks(me, 0, n, [&](int first, int last) { add(&a[first], &a[last]); }, 1000);
//   const double sum = parallel_reduce(me, v.begin(), v.end(), 0.0, std::plus<>{});
//   parallel_invoke(me, [&] { left(); }, [&] { right(); });
//
// `me` is the worker that the calling task was given; or a fork_join, on any thread: then the loop
// is a run() of it, and throws what that throws. What is looped over are integers, first up
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
// Threads: a task, with its own worker; any, with a pool. Progress: as spawn() and sync() of the
// worker. Costs: a spawn and a sync for each doubling of the length, or for each steal; no
// allocation, unless a result does not fit a task's slot. What compilers vectorise in a loop
// written by hand they vectorise here, if the body captures by value what it needs. Source: A.
// Tzannes, G. Caragea, R. Barua, U. Vishkin, "Lazy binary-splitting" (PPoPP 2010), with a period of
// looking that grows.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_part.hpp"

namespace fencepost {

namespace detail {

template <class Worker, class Place, class Body>
struct parallel_loop {
  static constexpr bool nothrow =
      noexcept(call_body(std::declval<Body&>(), std::declval<Worker&>(), *std::declval<Place&>()));

  Body& body;
  std::uint64_t grain;

  // By value: what the body writes to is something else.
  void go_through(Worker& me, Place at, std::uint64_t n) const noexcept(nothrow) {
    called_in_loop<Body, Worker, decltype(*at)> call = body;
    at.each(n, [&call, &me](auto&& element) noexcept(nothrow) {
      call_body(call, me, std::forward<decltype(element)>(element));
    });
  }
};

template <class Worker, class Place, class Body>
struct parallel_block_loop {
  using bound = std::remove_cvref_t<decltype(std::declval<Place&>().bound())>;
  static constexpr bool nothrow = noexcept(call_body(std::declval<Body&>(), std::declval<Worker&>(),
                                                     std::declval<bound>(), std::declval<bound>()));

  Body& body;
  std::uint64_t grain;

  void go_through(Worker& me, Place at, std::uint64_t n) const noexcept(nothrow) {
    called_in_loop<Body, Worker, bound, bound> call = body;
    call_body(call, me, bound{at.bound()}, bound{(at + n).bound()});
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

template <template <class, class, class> class Loop = parallel_loop, class Where, class Place,
          class Body>
void run_loop(Where& where, const loop_part<Place>& all, Body& body, std::size_t grain) {
  with_worker(where, [&]<class Worker>(Worker& me) {
    divide(Loop<Worker, Place, Body>{body, grain == 0 ? 1 : grain}, me, all);
  });
}

template <class Where, class Place, class T, class Accumulate, class Combine>
T run_reduction(Where& where, const loop_part<Place>& all, T& identity, Accumulate& accumulate,
                Combine& combine, std::size_t grain) {
  const T& kept = identity;
  return with_worker(where, [&]<class Worker>(Worker& me) {
    return parallel_reduction<Worker, Place, T, Accumulate, Combine>{kept, accumulate, combine,
                                                                     grain == 0 ? 1 : grain}
        .run(me, all, kept);
  });
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

// body(first, last), or body(worker, first, last), for blocks of elements that are next to each
// other: two integers, or two iterators. For bodies that prepare something once for many elements,
// or have a loop of their own. A block has at least `grain` elements, but for the last of a part,
// and as many as are gone through before the worker looks whether others want work: at most an
// eighth of what is left, or a sixteenth of what it has done, and 4096.
template <class Worker, class I, class J, class Body>
requires(detail::loop_bounds<I, J>) void parallel_for_blocks(Worker& me, I first, J last,
                                                             Body&& body, std::size_t grain = 1) {
  detail::run_loop<detail::parallel_block_loop>(me, detail::part_of(first, last), body, grain);
}
template <class Worker, detail::loop_range R, class Body>
void parallel_for_blocks(Worker& me, R&& range, Body&& body, std::size_t grain = 1) {
  detail::run_loop<detail::parallel_block_loop>(me, detail::part_of(range), body, grain);
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
requires(detail::loop_bounds<I, J>) T parallel_reduce(Worker& me, I first, J last, T identity,
                                                      Combine&& combine, std::size_t grain = 1) {
  return detail::run_reduction(me, detail::part_of(first, last), identity, combine, combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Accumulate, class Combine>
requires(!std::integral<std::remove_cvref_t<Combine>>) T
    parallel_reduce(Worker& me, R&& range, T identity, Accumulate&& accumulate, Combine&& combine,
                    std::size_t grain = 1) {
  return detail::run_reduction(me, detail::part_of(range), identity, accumulate, combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Combine>
T parallel_reduce(Worker& me, R&& range, T identity, Combine&& combine, std::size_t grain = 1) {
  return detail::run_reduction(me, detail::part_of(range), identity, combine, combine, grain);
}

// Calls all of them, each with the worker or with nothing, perhaps at once; the first one here.
// Their results are not kept: join() of the worker has them.
template <class Worker, class... Calls>
void parallel_invoke(Worker& me, Calls&&... calls) {
  if constexpr (sizeof...(Calls) != 0) {
    detail::with_worker(me, [&]<class W>(W& first) {
      static_cast<void>(
          first.join([&calls](W& worker) noexcept(noexcept(detail::call_body(calls, worker))) {
            static_cast<void>(detail::call_body(calls, worker));
          }...));
    });
  }
}

}  // namespace fencepost
