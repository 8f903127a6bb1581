// std::copy_if, shared among the workers of a fork-join runtime: the elements that a predicate
// selects, in their order.
//
//   out.resize(in.size());                                           as many as there may be
//   out.erase(parallel_copy_if(me, in, out.begin(), is_large), out.end());
//   parallel_copy_if(me, 2, limit, primes.begin(), is_prime);        integers
//
//   in     3    1    4    1    5           predicate: x > 2
//   out    3    4    5                     returns the end of these
//
// The input is what parallel_for takes, integers included. `out` is a random access iterator, with
// room for all elements that are selected; nothing is written beyond the end that is returned. It
// must not point into the input. The predicate is called once for each element, with the worker
// first if it takes one, in any order, and concurrently; an element that it selects is then
// assigned to its place, perhaps by another worker.
//
// How the workers share it: block_scan.hpp. One worker alone makes one pass. A part that another
// worker takes needs two: the first finds the elements that are selected, and keeps a bit for each;
// the second copies them, once it is known how many come before.
//
// `grain` is the smallest number of elements that is worth a task, as for parallel_for.
//
// An exception that leaves the predicate, or the assignment, is rethrown, one of them if there are
// several; by then no call is running any more, and the contents of `out` are unspecified.
//
// Ordering, threads, progress: as parallel_for (parallel.hpp). Costs: a spawn and a sync for each
// doubling of the length, or for each steal, and scratch memory: a bit for each element, and up to
// a thousand numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/block_scan.hpp"
#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_grain.hpp"
#include "fencepost/runtime/loop_part.hpp"
#include "fencepost/runtime/stop_condition.hpp"

namespace fencepost {

namespace detail {

// What block_scan.hpp does with blocks of elements. The sum is the number of selected elements.
template <class Worker, class Place, class Out, class Predicate>
class element_selection {
  using element = decltype(*std::declval<const Place&>());
  using seen = std::remove_reference_t<element>&;  // what the predicate is called with
  using step = std::iter_difference_t<Out>;

 public:
  using value = std::uint64_t;
  static constexpr bool nothrow =
      noexcept(
          call_body(std::declval<Predicate&>(), std::declval<Worker&>(), std::declval<seen>())) &&
      std::is_nothrow_assignable_v<std::iter_reference_t<Out>, element>;

  // The number of words that hold the bits.
  static std::uint64_t words(const block_division& division) noexcept {
    return division.blocks * words_of_block(division);
  }
  element_selection(Place first, const block_division& division, Out out, Predicate& predicate,
                    std::uint64_t* bits) noexcept
      : first_(std::move(first)),
        division_(division),
        out_(std::move(out)),
        predicate_(predicate),
        bits_(bits) {}

  value pass(Worker& me, scan_blocks some, value before) const noexcept(nothrow) {
    called_in_loop<Predicate, Worker, seen> selects = predicate_;
    const Out begin = out_ + static_cast<step>(before);
    Out to = begin;
    (first_ + division_.begin_of(some)).each(division_.size_of(some), [&](auto&& each) {
      if (call_body(selects, me, each)) {
        *to = std::forward<decltype(each)>(each);
        ++to;
      }
    });
    return before + static_cast<value>(to - begin);
  }

  value sum(Worker& me, scan_blocks one) const noexcept(nothrow) {
    called_in_loop<Predicate, Worker, seen> selects = predicate_;
    std::uint64_t* to = bits_of(one.first.at);
    std::uint64_t word = 0, bit = 1;
    value selected = 0;
    (first_ + division_.begin_of(one)).each(division_.size_of(one), [&](auto&& each) {
      if (call_body(selects, me, each)) {
        word |= bit;
        ++selected;
      }
      bit <<= 1;
      if (bit != 0) return;
      *to++ = std::exchange(word, 0);
      bit = 1;
    });
    if (bit != 1) *to = word;
    return selected;
  }

  void pass_again(Worker&, scan_blocks some, value before) const noexcept(nothrow) {
    Out to = out_ + static_cast<step>(before);
    for (; some.size != 0; some = some.split_after(1)) {
      const scan_blocks one{some.first, 1};
      const std::uint64_t* from = bits_of(one.first.at);
      const std::uint64_t begin = division_.begin_of(one), end = begin + division_.size_of(one);
      for (std::uint64_t at = begin; at < end; at += bits_of_word) {
        for (std::uint64_t word = *from++; word != 0; word &= word - 1) {
          *to = *(first_ + (at + static_cast<unsigned>(std::countr_zero(word))));
          ++to;
        }
      }
    }
  }

  value add(Worker&, value before, value selected) const noexcept { return before + selected; }

 private:
  static constexpr std::uint64_t bits_of_word = 64;
  static std::uint64_t words_of_block(const block_division& division) noexcept {
    return (division.block_size + bits_of_word - 1) / bits_of_word;
  }
  std::uint64_t* bits_of(std::uint64_t block) const noexcept {
    return bits_ + block * words_of_block(division_);
  }

  Place first_;
  block_division division_;
  Out out_;
  Predicate& predicate_;
  std::uint64_t* bits_;  // of the elements that thieves have tested; a block has whole words
};

template <class Where, class Place, class Out, class Predicate>
Out run_selection(Where& where, const loop_part<Place>& all, Out out, Predicate& predicate,
                  loop_grain grain) {
  check_output<Out>();
  const auto division =
      block_division::of(all.size, grain.elements(), most_blocks_of(sizeof(std::uint64_t)));
  const std::uint64_t selected = with_worker(where, [&]<class Worker>(Worker& me) {
    using work = element_selection<Worker, Place, Out, Predicate>;
    scratch_scope memory{me.scratch()};
    const auto bits = me.scratch().template allocate<std::uint64_t>(work::words(division));
    const work elements{all.first, division, out, predicate, bits.data()};
    return block_scan<Worker, work, never_stopped>{elements, {}}.run(me, division.blocks, 0);
  });
  return out + static_cast<std::iter_difference_t<Out>>(selected);
}

}  // namespace detail

template <class Worker, class I, class J, std::random_access_iterator Out, class Predicate>
requires(detail::loop_bounds<I, J>) Out
    parallel_copy_if(Worker& me, I first, J last, Out out, Predicate&& predicate,
                     loop_grain grain = 1) {
  return detail::run_selection(me, detail::part_of(first, last), std::move(out), predicate, grain);
}
template <class Worker, detail::loop_range R, std::random_access_iterator Out, class Predicate>
Out parallel_copy_if(Worker& me, R&& range, Out out, Predicate&& predicate, loop_grain grain = 1) {
  return detail::run_selection(me, detail::part_of(range), std::move(out), predicate, grain);
}

}  // namespace fencepost
