// How the workers of a fork-join runtime share a loop in which the result for an element depends on
// all elements before it. parallel_scan.hpp and parallel_copy_if.hpp are the interfaces.
//
// The worker that calls goes through the elements from the front, as a plain loop would. A thief
// takes the upper half of what is left, and at first only adds it up, in blocks, since it does not
// know what comes before. Once that is known, all workers go through these blocks again, now with
// results. So one worker alone makes one pass; each element that was stolen takes two, and two
// workers with nothing else to do need three quarters of the time of one.
//
//          |  caller: results            |  thief: a sum for each block          |
//          |   done                      |  all workers: results, from the sums  |
//
// Source: G. Blelloch, "Prefix sums and their applications" (1990): reduce, then scan.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/loop_division.hpp"
#include "fencepost/runtime/loop_part.hpp"
#include "fencepost/runtime/stop_condition.hpp"

namespace fencepost::detail {

// Consecutive values in memory that this object does not own. It destroys the values.
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
  // Takes over values that begin where these end.
  void append(values_in_place&& others) noexcept { size_ += std::exchange(others.size_, 0); }

  std::size_t size() const noexcept { return size_; }
  T& operator[](std::size_t i) const noexcept { return first_[i]; }

 private:
  T* first_;
  std::size_t size_ = 0;
};

using scan_blocks = loop_part<integer_place<std::uint64_t>>;  // by their numbers

// A division of elements into up to `most_blocks` blocks, of `least` elements at least.
struct block_division {
  static block_division of(std::uint64_t elements, std::uint64_t least,
                           std::uint64_t most_blocks) noexcept {
    if (elements == 0) return {0, 1, 0};
    // No larger than the whole: memory is allocated by the size of a block.
    const std::uint64_t size =
        std::min(elements, std::max(least, (elements - 1) / most_blocks + 1));
    return {elements, size, (elements - 1) / size + 1};
  }

  std::uint64_t elements, block_size, blocks;

  // The first element of these blocks, and their number of elements.
  std::uint64_t begin_of(scan_blocks some) const noexcept { return some.first.at * block_size; }
  std::uint64_t size_of(scan_blocks some) const noexcept {
    return std::min(some.size * block_size, elements - begin_of(some));
  }
};
// The number of blocks for sums of `sum` bytes.
constexpr std::uint64_t most_blocks_of(std::size_t sum) noexcept {
  return std::clamp<std::uint64_t>(65536 / sum, 16, 1024);
}

// Work: what is done with blocks of elements. Any worker calls its functions, which are const:
//   value                            the type of sums, such as that of all elements before
//   nothrow                          whether none of these throws
//   value pass(me, blocks, before)   writes the results in one pass; returns the sum after them
//   value sum(me, block)             returns the sum of one block
//   void pass_again(me, blocks, before)   writes the results of consecutive summed blocks
//   value add(me, before, sum)
template <class Worker, class Work, class Stop>
class block_scan {
  using value = typename Work::value;
  using blocks = scan_blocks;
  using sums = values_in_place<value>;
  static constexpr bool may_stop = !std::is_same_v<Stop, never_stopped>;

 public:
  static constexpr bool nothrow = Work::nothrow;
  static constexpr std::uint64_t grain = 1;  // in blocks

  block_scan(const Work& work, Stop stop) noexcept : work_(work), stop_(stop) {}

  // `carry` is the sum of all that comes before the first element; returns the sum of all.
  value run(Worker& me, std::uint64_t count, value carry) {
    if (count == 0) return carry;
    scratch_scope memory{me.scratch()};
    sums_ = static_cast<value*>(me.scratch().allocate(count * sizeof(value), alignof(value)));
    scan(me, {{0}, count}, carry);
    return carry;
  }

  // The second pass, through blocks that thieves have added up.
  void go_through(Worker& me, integer_place<std::uint64_t> at, std::uint64_t n) const
      noexcept(nothrow) {
    if constexpr (may_stop) {
      for (; n != 0 && !stop_(); --n, ++at.at) {
        work_.pass_again(me, {at, 1}, std::move(sums_[at.at]));
      }
    } else {
      work_.pass_again(me, {at, n}, std::move(sums_[at.at]));
    }
  }

 private:
  // The first pass, with results. `carry`, the sum of all elements before these blocks, becomes the
  // sum that includes them. Once it has been asked to stop, what is written is unspecified.
  void scan(Worker& me, blocks left, value& carry) const noexcept(nothrow) {
    loop_rhythm rhythm{grain};
    while (left.size != 0 && !stop_()) {
      if (gives_half(me, left.size, grain)) {
        const blocks rest = left.split_after(lower_half(left.size, grain));
        auto half = me.spawn(
            [this, owner = &me, before = &carry, rest](Worker& worker) noexcept(nothrow) -> sums {
              // The owner gets here only after it has done all that comes before.
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
      carry = work_.pass(me, next, std::move(carry));
      me.poll();
    }
  }

  // The first pass of a worker that does not know what comes before: computes a sum for each block,
  // or, if it is asked to stop, for the first blocks only.
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
      for (; next.size != 0; next = next.split_after(1)) {
        done.append(work_.sum(me, {next.first, 1}));
      }
      me.poll();
    }
    return done;
  }

  void scan_again(Worker& me, blocks all, const sums& taken, value& carry) const noexcept(nothrow) {
    for (std::size_t i = 0; i < taken.size(); ++i) {
      value after = work_.add(me, std::as_const(carry), taken[i]);
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

  const Work& work_;
  [[no_unique_address]] Stop stop_;
  value* sums_ = nullptr;  // the memory; the `sums` of the workers own the values in it
};

}  // namespace fencepost::detail
