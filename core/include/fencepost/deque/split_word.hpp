// The word that a split deque's owner and thieves share: where the shared part begins and ends.
//
//   bit 63          32 31           0
//      +--------------+--------------+
//      |    split     |     tail     |      slots [tail, split) can be stolen
//      +--------------+--------------+
//
// A thief takes slot `tail` by exchanging the whole word for one with tail + 1. The owner moves the
// split: up to share more, down to take slots back. The critical case is that the owner lowers the
// split past slot i while a thief takes slot i. Two kinds of word solve it:
//
//   iso_split_word   One 64-bit atomic; the split moves by a read-modify-write. While thieves
//                    may change the word, every change is a read-modify-write of this one
//                    location, so each side observes the other's last step and no fence is
//                    needed. ISO C++; the default.
//                    Checked by tail_split/shrink_against_steal.
//   lace_split_word  The split moves by a store to its half of the word, as in Lace, which is
//                    cheaper than a locked instruction where the split is raised. Lowering it needs
//                    a sequentially consistent fence. Not ISO C++: needs P::halves. Checked by
//                    tail_split_lace/shrink_against_steal, and found wrong without the fence
//                    (…/no_shrink_fence) and with a weaker exchange (…/acq_rel_take).
//
// Threads: load and take, any thread; the rest, the owner of the deque.
// Source: T. van Dijk and J. van de Pol, Lace (2014), as of version 1.6; the one-word form as in
// lace.rs.
#pragma once

#include <atomic>
#include <cstdint>

namespace fencepost {

// The word's value. Distances are taken modulo 2^32, so no sum of indices overflows.
struct split_point {
  std::uint32_t tail = 0;
  std::uint32_t split = 0;

  static constexpr split_point unpack(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
  constexpr std::uint64_t pack() const noexcept { return std::uint64_t{split} << 32 | tail; }

  // Whether `a` comes before `b`; both lie within 2^31 of each other.
  static constexpr bool before(std::uint32_t a, std::uint32_t b) noexcept {
    return static_cast<std::int32_t>(b - a) > 0;
  }

  // True if something is shared. The tail may lie beyond the split: then the owner has just taken
  // back slots that thieves had already taken, and has not yet repaired that.
  constexpr bool stealable() const noexcept { return before(tail, split); }
  // The word after one task is stolen.
  constexpr split_point stolen() const noexcept { return {tail + 1, split}; }
  // The word after half of the shared part is taken back, the larger half if it is odd.
  constexpr split_point shrunk() const noexcept { return {tail, tail + (split - tail) / 2}; }
  // The word after half of the private part [split, end) is shared, the larger half if it is odd.
  constexpr split_point grown(std::uint32_t end) const noexcept {
    return {tail, split + (end - split + 1) / 2};
  }
  // A new beginning, when all tasks below `head` are stolen: only slot `head` is shared.
  static constexpr split_point rebased(std::uint32_t head) noexcept { return {head, head + 1}; }

  friend constexpr bool operator==(split_point, split_point) = default;
};

template <class P>
class iso_split_word {  // The word in one piece: ISO C++. The default.
 public:
  split_point load() const noexcept {
    // [iso.load] relaxed, alone: what a thief reads here is only a guess, which take() verifies.
    return split_point::unpack(word_.load(std::memory_order_relaxed));
  }

  // Owner, when nothing can be stolen: no thief's exchange can succeed, so a store loses none.
  // [iso.rebase] relaxed, with [iso.take]: the release fence in push covers it.
  void rebase(split_point to) noexcept { word_.store(to.pack(), std::memory_order_relaxed); }

  // Owner. Raises the split. The addition leaves the tail as it is at that instant.
  void raise(std::uint32_t from, std::uint32_t to) noexcept {
    // [iso.raise] relaxed, with [iso.take]: the release fence in push covers it.
    word_.fetch_add(difference(from, to), std::memory_order_relaxed);
  }

  // Owner. Lowers the split, as thieves observe from then on; returns the tail at that instant.
  std::uint32_t lower(std::uint32_t from, std::uint32_t to) noexcept {
    // [iso.lower] relaxed, with [iso.take]: of two exchanges of one word the later one observes the
    // other's step. Nothing that thieves wrote is used before the slot's own acquire fence, and
    // what is left shared was published by the release fence in push.
    return split_point::unpack(word_.fetch_add(difference(from, to), std::memory_order_relaxed))
        .tail;
  }

  // Thief. Takes slot seen.tail if the word still equals `seen`. Returns false if it does not, or,
  // on machines with a weak exchange, spuriously.
  bool take(split_point seen) noexcept {
    std::uint64_t expected = seen.pack();
    // [iso.take] acquire, relaxed on failure, with [tail_split.hpp/push.fence], [iso.rebase],
    // [iso.raise], [iso.lower]: the task is visible, through whichever store or exchange this
    // reads. Relaxed on failure: nothing is used.
    return word_.compare_exchange_weak(expected, seen.stolen().pack(), std::memory_order_acquire,
                                       std::memory_order_relaxed);
  }

 private:
  // Adding this to the word moves the split alone: a carry out of the upper half is dropped.
  static constexpr std::uint64_t difference(std::uint32_t from, std::uint32_t to) noexcept {
    return std::uint64_t{to - from} << 32;
  }

  typename P::template atomic<std::uint64_t> word_{0};
};

template <class P>
class lace_split_word {  // The word in halves, as in Lace: not ISO C++.
 public:
  split_point load() const noexcept {
    // [lace.load] relaxed, alone: as in iso_split_word.
    return split_point::unpack(word_.load(std::memory_order_relaxed));
  }

  // [lace.rebase] relaxed, with [lace.take]: as in iso_split_word.
  void rebase(split_point to) noexcept { word_.store(to.pack(), std::memory_order_relaxed); }

  void raise(std::uint32_t, std::uint32_t to) noexcept {
    // [lace.raise] relaxed, with [lace.take]: as in iso_split_word.
    word_.store_high(to, std::memory_order_relaxed);
  }

  // Either the tail read here is that of a concurrent take(), or that take() finds the split
  // lowered and fails.
  std::uint32_t lower(std::uint32_t, std::uint32_t to) noexcept {
    // [lace.lower] relaxed, with [lace.take]: the exchange that comes after the fence observes it.
    word_.store_high(to, std::memory_order_relaxed);
    // [lace.lower.fence] seq_cst, with [lace.take]: store buffering: one of the two comes before
    // the other in the single order.
    P::fence(std::memory_order_seq_cst);
    // [lace.lower.tail] relaxed, with [lace.take]: observes an exchange that comes before the
    // fence.
    return word_.load_low(std::memory_order_relaxed);
  }

  bool take(split_point seen) noexcept {
    std::uint64_t expected = seen.pack();
    // [lace.take] seq_cst, relaxed on failure, with [lace.lower], [lace.lower.fence],
    // [lace.lower.tail], [lace.rebase], [lace.raise], [tail_split.hpp/push.fence]: store buffering,
    // see lower(). As an acquire: the task is visible. Relaxed on failure: nothing is used.
    return word_.compare_exchange_weak(expected, seen.stolen().pack(), std::memory_order_seq_cst,
                                       std::memory_order_relaxed);
  }

 private:
  typename P::halves word_{0, 0};
};

}  // namespace fencepost
