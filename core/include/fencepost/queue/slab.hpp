// A block of slots, as used by slab_queue: many producers fill it, one consumer empties it.
//
//   reserved_   5                     slots handed out: the next producer gets slot 5
//   written_    1 1 0 1 1 0 0 0       published, one bit per slot; slot 2's is still being written
//   taken       1 0 0 0 0 0 0 0       the consumer's own: what is left to take is written & ~taken
//   items       . a   b c . . .
//
// A slot is used once. Bits are only ever set, until the slab is emptied and reused. A slot that a
// producer has reserved keeps the slab alive: the slab is not empty before that slot is published
// and taken. After publish() the producer does not touch the slab again.
//
// Threads: reserve, write and publish, producers; the rest, the consumer, or the thread that has
// the slab to itself.
// Claims: see slab_queue.hpp. Progress: wait-free. Costs: reserve and publish are one locked
// instruction each. A new slab's items are not touched.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

// How a slab_queue is laid out.
struct slab_shape {
  std::uint32_t slots = 512;     // in a slab; a multiple of word_bits
  std::uint32_t word_bits = 64;  // slots of a bitmap word; less than 64 is for models
  std::uint32_t buckets = 32;    // a power of two
};

template <class T, class P, slab_shape Shape>
class slab {
  static_assert(Shape.word_bits >= 1 && Shape.word_bits <= 64, "a bitmap word has 1 to 64 bits");
  static_assert(Shape.slots >= 1 && Shape.slots % Shape.word_bits == 0,
                "a slab has a whole number of bitmap words");

 public:
  static constexpr std::uint32_t slots = Shape.slots;
  static constexpr std::uint32_t words = Shape.slots / Shape.word_bits;

  // The consumer's side. Plain data: the consumer receives the slab through the queue's tail.
  struct consumer_side {  // unwatched: the whole is a plain.
    std::array<std::uint64_t, words> taken{};
    std::uint32_t left = slots;  // slots that are not taken
    std::uint32_t first = 0;     // words before this one are taken wholly
    slab* newer = nullptr;       // the slab that was appended after this one
  };
  typename P::template plain<consumer_side> consumer{consumer_side{}};
  // The slab before this one. Set by the producer that appends this one, before it does so.
  typename P::template plain<slab*> older{nullptr};

  // Producer. Returns the slot that it now owns; `slots` or more if the slab is full. A 64-bit
  // count does not wrap around.
  [[nodiscard]] std::uint64_t reserve() noexcept {
    // [reserve] relaxed, alone: only the value is needed.
    return reserved_.fetch_add(1, std::memory_order_relaxed);
  }
  // The thread that has the slab to itself. Reserves slot 0.
  // [reserve_first] relaxed, alone: the slab is handed over later.
  void reserve_first() noexcept { reserved_.store(1, std::memory_order_relaxed); }

  // Producer. Constructs the item in its slot.
  template <class U>
  void write(std::uint64_t slot, U&& item) noexcept {
    std::construct_at(reinterpret_cast<T*>(items_[slot].write().bytes), std::forward<U>(item));
  }
  // Producer, once. Publishes its slot, after write().
  void publish(std::uint64_t slot) noexcept {
    // [publish] release, with [published]: the consumer then observes the item.
    written_[slot / Shape.word_bits].fetch_or(std::uint64_t{1} << slot % Shape.word_bits,
                                              std::memory_order_release);
  }

  // Consumer. Returns the word's published slots.
  [[nodiscard]] std::uint64_t published(std::uint32_t word) const noexcept {
    // [published] acquire, with [publish]: that of each of the slots, through the later ones, which
    // continue its release sequence: all are read-modify-writes of the word.
    return written_[word].load(std::memory_order_acquire);
  }
  // Consumer. Moves the item out of a published slot, once.
  [[nodiscard]] T take(std::uint32_t slot) noexcept {
    T* const item = std::launder(reinterpret_cast<T*>(items_[slot].write().bytes));
    T out{std::move(*item)};
    std::destroy_at(item);
    return out;
  }

  // The thread that has the slab to itself, which is empty. Resets it, but for what an append sets.
  void clear() noexcept {
    // [clear] relaxed, alone: the slab is handed over later.
    for (auto& word : written_) word.store(0, std::memory_order_relaxed);
    consumer.set(consumer_side{});
  }

  static constexpr std::uint64_t full_word = ~std::uint64_t{0} >>
                                             (64 - static_cast<unsigned>(Shape.word_bits));

 private:
  static constexpr std::size_t cache_line = 64;
  struct cell {  // unwatched: each is a plain.
    alignas(T) std::byte bytes[sizeof(T)];
  };

  alignas(cache_line) typename P::template atomic<std::uint64_t> reserved_{0};
  alignas(cache_line) std::array<typename P::template atomic<std::uint64_t>, words> written_{};
  alignas(cache_line) alignas(T) std::array<typename P::template plain<cell>, slots> items_;
};

}  // namespace fencepost
