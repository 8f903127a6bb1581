// std::inclusive_scan and std::exclusive_scan, shared among the workers of a fork-join runtime: the
// sums of all prefixes, or of what another associative operation makes of them.
//
//   parallel_inclusive_scan(me, in.begin(), in.end(), out.begin());             running totals
//   parallel_exclusive_scan(me, lengths, offsets.begin(), std::size_t{0});      where each begins
//   parallel_inclusive_scan(me, in.begin(), in.end(), out.begin(), compose);    any operation
//
//   in            3    1    4    1    5
//   inclusive     3    4    8    9   14      op(op(3, 1), 4) …
//   exclusive     0    3    4    8    9      op(op(init, 3), 1) …
//
// What is gone through is what parallel_for goes through, integers included; `out` is a random
// access iterator, to the first element or to elsewhere, but not into the rest of them. Returns the
// end of what was written. The operation is associative, need not be commutative, and may take the
// worker first, as a body does. It is called with values of the result's type, or such a value and
// an element, at most twice for each element, in any order, some at the same time. Floating point
// numbers, whose addition is not quite associative, may differ from run to run.
//
// How: the worker that calls goes through the elements from the front, as a plain loop would. What
// others take from it, the upper half of what is left, they first only add up, in blocks, since
// they do not know what comes before. Once that is known all workers go through these blocks again,
// now with results. So one worker has one pass; each element that was taken has two, and two
// workers that have nothing else to do need three quarters of the time of one.
//
//          |  caller: results            |  thief: a sum for each block          |
//          |   done                      |  all workers: results, from the sums  |
//
// `grain` is the least that is worth a task, as of parallel_for: more than 1 where loops are short.
//
// With a std::stop_token after the worker a scan may end early: it returns the end of what was
// written, or nothing if the token was asked to stop before the return; then what is in `out` is
// anything. Such a scan has an initial value. A worker looks at the token before each of a
// thousand blocks, of `grain` elements at least.
//
//   const auto end = parallel_inclusive_scan(me, token, in, out.begin(), std::plus<>{}, 0);
//
// An exception that leaves the operation is thrown, one of them if several do; what is in `out`
// then is anything, and nothing is running any more.
//
// Ordering, threads, progress: as parallel_for (parallel.hpp). Costs: a spawn and a sync for each
// doubling of the length, or for each steal, and scratch memory for up to a thousand sums.
// Source: G. Blelloch, "Prefix sums and their applications" (1990): reduce, then scan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_part.hpp"
#include "fencepost/runtime/stop_condition.hpp"

namespace fencepost {

namespace detail {

// Values, one after the other in memory that is another's: of these it destroys them.
template <class T>
class values_in_place {
 public:
  explicit values_in_place(T* first = nullptr) noexcept : first_(first) {}
  values_in_place(values_in_place&& other) noexcept
      : first_(other.first_), size_(std::exchange(other.size_, 0)) {}
  values_in_place& operator=(values_in_place&&) = delete;
  ~values_in_place() { std::destroy_n(first_, size_); }

  void append(T value) {
    std::construct_at(first_ + size_, std::move(value));
    ++size_;
  }
  // What begins where these end.
  void append(values_in_place&& others) noexcept { size_ += std::exchange(others.size_, 0); }

  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) const noexcept { return first_[i]; }

 private:
  T* first_;
  std::size_t size_ = 0;
};

enum class scan_kind { inclusive, exclusive };

template <scan_kind Kind, class Worker, class Place, class Out, class T, class Op, class Stop>
class parallel_scanning {
  using block = integer_place<std::uint64_t>;  // its number
  using blocks = loop_part<block>;
  using sums = values_in_place<T>;
  using element = decltype(*std::declval<const Place&>());
  static constexpr bool may_stop = !std::is_same_v<Stop, never_stopped>;

 public:
  static constexpr bool nothrow =
      noexcept(call_body(std::declval<Op&>(), std::declval<Worker&>(), std::declval<const T&>(),
                         std::declval<element>()))&& noexcept(call_body(std::declval<Op&>(),
                                                                        std::declval<Worker&>(),
                                                                        std::declval<const T&>(),
                                                                        std::declval<T&>())) &&
      std::is_nothrow_constructible_v<T, element> && std::is_nothrow_move_constructible_v<T> &&
      std::is_nothrow_copy_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
      std::is_nothrow_assignable_v<std::iter_reference_t<Out>, const T&>;
  static constexpr std::uint64_t grain = 1;  // in blocks

  parallel_scanning(const loop_part<Place>& all, Out out, Op& op, std::uint64_t least,
                    Stop stop) noexcept
      : all_(all),
        out_(std::move(out)),
        op_(op),
        stop_(stop),
        block_size_(least == 0 ? 1 : least) {}

  // `carry` is of all that comes before the first element.
  void run(Worker& me, T carry) {
    if (all_.size == 0) return;
    constexpr std::uint64_t most = std::clamp<std::uint64_t>(65536 / sizeof(T), 16, 1024);
    block_size_ = std::max(block_size_, (all_.size - 1) / most + 1);
    const std::uint64_t count = (all_.size - 1) / block_size_ + 1;
    scratch_scope memory{me.scratch()};
    sums_ = static_cast<T*>(me.scratch().allocate(count * sizeof(T), alignof(T)));
    scan(me, {{0}, count}, carry);
  }

  // The second pass through blocks that others have added up.
  void go_through(Worker& me, block at, std::uint64_t n) const noexcept(nothrow) {
    if constexpr (may_stop) {
      for (; n != 0 && !stop_(); --n, ++at.at) scan_elements(me, {at, 1}, std::move(sums_[at.at]));
    } else {
      scan_elements(me, {at, n}, std::move(sums_[at.at]));
    }
  }

 private:
  // The first pass, with results. `carry` is of all that comes before these blocks, and then of
  // them too. Once it is to stop, what is written is anything.
  void scan(Worker& me, blocks left, T& carry) const noexcept(nothrow) {
    loop_rhythm rhythm{grain};
    while (left.size != 0 && !stop_()) {
      if (gives_half(me, left.size, grain)) {
        const blocks rest = left.split_after(lower_half(left.size, grain));
        auto half = me.spawn(
            [this, owner = &me, before = &carry, rest](Worker& worker) noexcept(nothrow) -> sums {
              // Its owner comes here only when it has done all that is before.
              if (&worker != owner) return sum(worker, rest);
              scan(worker, rest, *before);
              return sums{};
            });
        me.share();  // the next element may take long
        scan(me, left, carry);
        const sums taken = me.sync(half);
        if (taken.size() == rest.size) scan_again(me, rest, taken, carry);
        return;
      }
      const blocks next = take_turn(rhythm, left);
      carry = scan_elements(me, next, std::move(carry));
      me.poll();
    }
  }

  // The first pass of those who do not know what comes before: a sum for each block; of the first
  // ones only, if it is to stop.
  sums sum(Worker& me, blocks left) const noexcept(nothrow) {
    sums done{sums_ + left.first.at};
    loop_rhythm rhythm{grain};
    while (left.size != 0 && !stop_()) {
      if (gives_half(me, left.size, grain)) {
        const blocks rest = left.split_after(lower_half(left.size, grain));
        auto half = me.spawn(
            [this, rest](Worker& worker) noexcept(nothrow) -> sums { return sum(worker, rest); });
        me.share();
        const std::size_t before_rest = done.size() + left.size;
        done.append(sum(me, left));
        sums upper = me.sync(half);
        if (done.size() == before_rest) done.append(std::move(upper));
        return done;
      }
      blocks next = take_turn(rhythm, left);
      for (; next.size != 0; next = next.split_after(1)) done.append(sum_of({next.first, 1}, me));
      me.poll();
    }
    return done;
  }

  void scan_again(Worker& me, blocks all, const sums& taken, T& carry) const noexcept(nothrow) {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      T after = call_body(op_, me, std::as_const(carry), taken[i]);
      taken[i] = std::exchange(carry, std::move(after));
    }
    divide(*this, me, all);
  }

  static blocks take_turn(loop_rhythm& rhythm, blocks& left) noexcept {
    blocks next = left;
    const std::uint64_t turn = rhythm.turn(left.size);
    left = next.split_after(may_stop ? 1 : turn);
    return next;
  }

  loop_part<Place> elements_of(blocks some) const {
    const std::uint64_t begin = some.first.at * block_size_;
    return {all_.first + begin, std::min(some.size * block_size_, all_.size - begin)};
  }

  T sum_of(blocks some, Worker& me) const noexcept(nothrow) {
    const loop_part<Place> elements = elements_of(some);
    called_in_loop<Op, Worker, const T&, element> call = op_;
    return (elements.first + 1)
        .fold(elements.size - 1, T(*elements.first), [&call, &me](T&& before, auto&& each) -> T {
          return call_body(call, me, std::as_const(before), std::forward<decltype(each)>(each));
        });
  }

  // Writes the results; the value after them.
  T scan_elements(Worker& me, blocks some, T carry) const noexcept(nothrow) {
    const loop_part<Place> elements = elements_of(some);
    called_in_loop<Op, Worker, const T&, element> call = op_;
    Out to = out_ + static_cast<std::iter_difference_t<Out>>(some.first.at * block_size_);
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

  loop_part<Place> all_;
  Out out_;
  Op& op_;
  [[no_unique_address]] Stop stop_;
  std::uint64_t block_size_;
  T* sums_ = nullptr;  // memory: those who add blocks up have the values
};

template <scan_kind Kind, class Where, class Place, class Out, class T, class Op,
          class Stop = never_stopped>
Out run_scan(Where& where, const loop_part<Place>& all, Out out, Op& op, T carry,
             std::size_t grain = 1, Stop stop = {}) {
  Out end = out + static_cast<std::iter_difference_t<Out>>(all.size);
  with_worker(where, [&]<class Worker>(Worker& me) {
    parallel_scanning<Kind, Worker, Place, Out, T, Op, Stop>{all, std::move(out), op, grain, stop}
        .run(me, std::move(carry));
  });
  return end;
}

#if defined(__cpp_lib_jthread)
template <scan_kind Kind, class Worker, class Place, class Out, class T, class Op>
std::optional<Out> run_stoppable_scan(Worker& me, const std::stop_token& token,
                                      const loop_part<Place>& all, Out out, Op& op, T carry,
                                      std::size_t grain) {
  Out end = run_scan<Kind>(me, all, std::move(out), op, std::move(carry), grain, stopped_by{token});
  if (token.stop_requested()) return std::nullopt;
  return end;
}
#endif

// The first element is what the others begin with.
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

// op(…op(op(e0, e1), e2)…, eN) for each element eN; the type of the values is that of the elements.
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
// op(…op(op(init, e0), e1)…, eN); the type of the values is that of init.
template <class Worker, class I, class J, std::random_access_iterator Out, class Op, class T>
requires(detail::loop_bounds<I, J>) Out
    parallel_inclusive_scan(Worker& me, I first, J last, Out out, Op&& op, T init,
                            std::size_t grain = 1) {
  return detail::run_scan<detail::scan_kind::inclusive>(me, detail::part_of(first, last),
                                                        std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class Op, class T>
Out parallel_inclusive_scan(Worker& me, R&& range, Out out, Op&& op, T init,
                            std::size_t grain = 1) {
  return detail::run_scan<detail::scan_kind::inclusive>(me, detail::part_of(range), std::move(out),
                                                        op, std::move(init), grain);
}

// op(…op(op(init, e0), e1)…, eM) for each element eN, of those before it; the first gets init.
template <class Worker, class I, class J, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
requires(detail::loop_bounds<I, J>) Out
    parallel_exclusive_scan(Worker& me, I first, J last, Out out, T init, Op&& op = {},
                            std::size_t grain = 1) {
  return detail::run_scan<detail::scan_kind::exclusive>(me, detail::part_of(first, last),
                                                        std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
Out parallel_exclusive_scan(Worker& me, R&& range, Out out, T init, Op&& op = {},
                            std::size_t grain = 1) {
  return detail::run_scan<detail::scan_kind::exclusive>(me, detail::part_of(range), std::move(out),
                                                        op, std::move(init), grain);
}

#if defined(__cpp_lib_jthread)
template <class Worker, class I, class J, std::random_access_iterator Out, class Op, class T>
requires(detail::loop_bounds<I, J>) std::optional<Out> parallel_inclusive_scan(
    Worker& me, const std::stop_token& token, I first, J last, Out out, Op&& op, T init,
    std::size_t grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::inclusive>(
      me, token, detail::part_of(first, last), std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class Op, class T>
std::optional<Out> parallel_inclusive_scan(Worker& me, const std::stop_token& token, R&& range,
                                           Out out, Op&& op, T init, std::size_t grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::inclusive>(
      me, token, detail::part_of(range), std::move(out), op, std::move(init), grain);
}
template <class Worker, class I, class J, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
requires(detail::loop_bounds<I, J>) std::optional<Out> parallel_exclusive_scan(
    Worker& me, const std::stop_token& token, I first, J last, Out out, T init, Op&& op = {},
    std::size_t grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::exclusive>(
      me, token, detail::part_of(first, last), std::move(out), op, std::move(init), grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class T,
          class Op = std::plus<>>
std::optional<Out> parallel_exclusive_scan(Worker& me, const std::stop_token& token, R&& range,
                                           Out out, T init, Op&& op = {}, std::size_t grain = 1) {
  return detail::run_stoppable_scan<detail::scan_kind::exclusive>(
      me, token, detail::part_of(range), std::move(out), op, std::move(init), grain);
}
#endif

}  // namespace fencepost
