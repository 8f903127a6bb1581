// Loops, reductions and calls that a worker of a fork-join runtime shares with the others.
//
//   parallel_for(me, 0, n, [&](int i) { out[i] = f(in[i]); });
//   parallel_for(me, images, [](image& each) { each.sharpen(); });
//   parallel_for_blocks(me, 0, n, [&](int first, int last) { add(&a[first], &a[last]); }, 1000);
//   const double sum = parallel_reduce(me, v.begin(), v.end(), 0.0, std::plus<>{});
//   parallel_invoke(me, [&] { left(); }, [&] { right(); });
//
// `me` is the worker that the calling task was given; or a fork_join, on any thread: then the loop
// is a run() of it, and throws what that throws. A loop goes through the integers from first up
// to, but not including, last; or through the elements between two random access iterators, or of a
// random access range of known size. It does nothing if last is not after first.
//
// A body is called with an element, or with (worker, element), where the worker is the one that
// runs it: to spawn tasks, or for a nested loop. All calls are of the same object, some
// concurrently, or, if copying it is trivial, of const copies; their order and the number of
// threads are unspecified. The element is what * of the iterator returns; an integer is passed by
// value, and has the common type of first and last.
//
// How a loop is divided: there is no chunk size to choose. A worker goes through its part a few
// elements at a time, and gives away half of what is left whenever it has nothing else that others
// could take. It checks that after 1, 2, 4, … 4096 elements; after at most an eighth of what is
// left, unless that is less than a sixteenth of what it has done: so a worker without work waits
// for a small part of what is done anyway. A loop with which no other worker helps has a task for
// each doubling of its length, not for each element; one whose elements take very different times
// is divided where the time is spent; and a nested loop is divided only when the outer one is not
// enough. `grain` is the smallest number of elements that is worth a task, or a check: 1, or more
// where elements take a few nanoseconds and loops are short. Any integer; 0 is treated as 1, and
// a negative one throws std::invalid_argument before anything is called. Two elements need not run
// concurrently: one must not wait for another.
//
// A body must not write to elements of std::vector<bool>: those share memory. The algorithms that
// write to an iterator refuse it.
//
// The loop rethrows an exception that leaves a body, one of them if there are several. Some or all
// of the elements that had not begun by then are left out; all that had begun have ended.
//
// Ordering: for any threads X that calls and Y that runs bodies, what X did before the call is
// visible to all bodies, and what they did is visible to X when the call returns or throws. Bodies
// are not ordered with each other.
//
// Threads: a task, with its own worker; any, with a pool. Progress: as spawn() and sync() of the
// worker. Costs: a spawn and a sync for each doubling of the length, or for each steal; no
// allocation, unless a result does not fit a task's slot. What compilers vectorise in a loop
// written by hand they vectorise here, if the body captures by value what it needs. Source: A.
// Tzannes, G. Caragea, R. Barua, U. Vishkin, "Lazy binary-splitting" (PPoPP 2010), with a growing
// interval between checks.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_grain.hpp"
#include "fencepost/runtime/loop_part.hpp"

namespace fencepost {

namespace detail {

template <class Worker, class Place, class Body>
struct parallel_loop {
  static constexpr bool nothrow =
      noexcept(call_body(std::declval<Body&>(), std::declval<Worker&>(), *std::declval<Place&>()));

  Body& body;
  std::uint64_t grain;

  // The place is passed by value: what the body writes to cannot alias it.
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

  // `value`: the accumulated value of the elements before the part.
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

template <class T>
constexpr void check_reduced() noexcept {
  static_assert(
      std::is_copy_constructible_v<T> && std::is_assignable_v<T&, T>,
      "a parallel reduction copies the identity for each part, and assigns to its values: "
      "they must be copyable and assignable; reduce to std::shared_ptr of what is not");
}

template <template <class, class, class> class Loop = parallel_loop, class Where, class Place,
          class Body>
void run_loop(Where& where, const loop_part<Place>& all, Body& body, loop_grain grain) {
  with_worker(where, [&]<class Worker>(Worker& me) {
    divide(Loop<Worker, Place, Body>{body, grain.elements()}, me, all);
  });
}

template <class Where, class Place, class T, class Accumulate, class Combine>
T run_reduction(Where& where, const loop_part<Place>& all, T& identity, Accumulate& accumulate,
                Combine& combine, loop_grain grain) {
  check_reduced<T>();
  const T& kept = identity;
  return with_worker(where, [&]<class Worker>(Worker& me) {
    return parallel_reduction<Worker, Place, T, Accumulate, Combine>{kept, accumulate, combine,
                                                                     grain.elements()}
        .run(me, all, kept);
  });
}

}  // namespace detail

// Calls body(element), or body(worker, element), for every element; see above.
template <class Worker, class I, class J, class Body>
requires(detail::loop_bounds<I, J>) void parallel_for(Worker& me, I first, J last, Body&& body,
                                                      loop_grain grain = 1) {
  detail::run_loop(me, detail::part_of(first, last), body, grain);
}
template <class Worker, detail::loop_range R, class Body>
void parallel_for(Worker& me, R&& range, Body&& body, loop_grain grain = 1) {
  detail::run_loop(me, detail::part_of(range), body, grain);
}

// Calls body(first, last), or body(worker, first, last), for blocks of consecutive elements, given
// by two integers or two iterators: for bodies that prepare something once for many elements, or
// have a loop of their own. A block has at least `grain` elements, except for the last of a part,
// and as many as a worker goes through between two checks for workers that want work: at most an
// eighth of what is left, or a sixteenth of what it has done, and 4096.
template <class Worker, class I, class J, class Body>
requires(detail::loop_bounds<I, J>) void parallel_for_blocks(Worker& me, I first, J last,
                                                             Body&& body, loop_grain grain = 1) {
  detail::run_loop<detail::parallel_block_loop>(me, detail::part_of(first, last), body, grain);
}
template <class Worker, detail::loop_range R, class Body>
void parallel_for_blocks(Worker& me, R&& range, Body&& body, loop_grain grain = 1) {
  detail::run_loop<detail::parallel_block_loop>(me, detail::part_of(range), body, grain);
}

// Returns accumulate(accumulate(…(identity, e0)…), eN), computed in parts that each begin with the
// identity, and whose values are combined: combine(left, right), where left is that of the earlier
// elements. So combine() need not be commutative, but it must not matter where parts begin: both
// operations are associative, and the identity changes nothing. Values are copied and moved, and
// need no default constructor. Where it does matter, as for
// floating point numbers, the result differs from run to run. Both may take the worker as their
// first argument, as a body does.
template <class Worker, class I, class J, class T, class Accumulate, class Combine>
requires(detail::loop_bounds<I, J> && !std::integral<std::remove_cvref_t<Combine>>) T
    parallel_reduce(Worker& me, I first, J last, T identity, Accumulate&& accumulate,
                    Combine&& combine, loop_grain grain = 1) {
  return detail::run_reduction(me, detail::part_of(first, last), identity, accumulate, combine,
                               grain);
}
// The same, with one operation that does both.
template <class Worker, class I, class J, class T, class Combine>
requires(detail::loop_bounds<I, J>) T parallel_reduce(Worker& me, I first, J last, T identity,
                                                      Combine&& combine, loop_grain grain = 1) {
  return detail::run_reduction(me, detail::part_of(first, last), identity, combine, combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Accumulate, class Combine>
requires(!std::integral<std::remove_cvref_t<Combine>>) T
    parallel_reduce(Worker& me, R&& range, T identity, Accumulate&& accumulate, Combine&& combine,
                    loop_grain grain = 1) {
  return detail::run_reduction(me, detail::part_of(range), identity, accumulate, combine, grain);
}
template <class Worker, detail::loop_range R, class T, class Combine>
T parallel_reduce(Worker& me, R&& range, T identity, Combine&& combine, loop_grain grain = 1) {
  return detail::run_reduction(me, detail::part_of(range), identity, combine, combine, grain);
}

// Calls all of them, each with the worker or without arguments, perhaps concurrently; the first one
// on the calling worker. Discards their results: join() of the worker returns them.
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
