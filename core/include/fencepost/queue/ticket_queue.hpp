// A queue from many producers to one consumer that costs a producer one compare-exchange. It is
// strictly first in, first out, so an item waits for those before it.
//
//     oldest_, slot_ = 2                                 tail_ = { slab, 2 }
//          |                                                  |
//          v                                                  v
//   +-----------------+   next   +-----------------+   next   +-----------------+
//   | - - c d e f g h | -------> | i j k l m . o p | -------> | q r . . . . . . |  <- push
//   +-----------------+          +-----------------+          +-----------------+
//                             n is drawn, and not yet published
//
// A producer draws a ticket (ticket.hpp): it moves the tail to the next slot, and owns the slot
// before. It writes its item and marks the slot: the item is published. The producer that finds the
// slab used up puts another in its place, and links the two. The consumer takes the items slot by
// slot, and owns a slab that it has emptied: it keeps one for the next producer that needs a slab,
// so that two slabs alternate without an allocation.
//
// A producer touches no slab without a ticket of it: before its exchange it only uses the word. So
// a slab needs no count of its users, and it does no harm if the slab that the producer read in the
// tail was recycled meanwhile (ABA): the exchange takes the slot that is next at that moment, of
// the slab as it is then.
//
// Threads: push and try_push, any thread; the rest, one thread at a time, the consumer.
// Construction and destruction: see below.
//
// Claims (scenarios of ticket_queue/):
//   every item is popped exactly once, whole           nothing_is_lost, slab_boundary
//   ... while producers race to append a slab          race_to_append
//   ... over several slabs                             two_producers_over_slabs
//   no slab is freed while a producer may touch it     no_slab_is_freed_in_use
//   an address that has come back is not mistaken      no_address_is_mistaken, tail_comes_back,
//                                                      old_ticket_of_a_new_slab
//   a recycled slab works like a new one               free_slab_is_used_again
//   items are popped in the order of their tickets: if one push happens before another, its item
//   is popped first                                    fifo_across_slabs, causal_order
//   the consumer may destroy the queue as soon as it has popped the last item
//                                                      destroyed_after_the_last_pop
//   what is left is destroyed with the queue           left_items_are_destroyed
//   empty() does not overlook an item                  empty_is_not_mistaken
//   what is pushed is ready() when no push before it is unfinished
//                                                      finished_pushes_are_ready
//   the operations are linearizable, push in two steps linearizable, linearizable_over_slabs
//
// Memory: two slabs at first, and again after a burst has been popped. While no push is concurrent
// with another, or with a pop,
//   - the first 2 x Slots pushes do not allocate;
//   - from then on a push that leaves at most `Slots` items in the queue does not allocate.
// Each producer that finds the slab used up may allocate one; one of them is used, and the others
// are kept or freed.
//
// Ordering: for any threads X and Y: everything sequenced before X's push() happens before the
// return of the pop() by Y, the consumer, of that item. Nothing flows back from the consumer.
// Progress: push is lock-free, apart from the allocator: its exchange fails only when another
// producer's has succeeded. Every call of pop, ready and empty is wait-free, but the queue as a
// whole blocks: an item can be popped only when all pushes with earlier tickets have published. A
// producer that is preempted in its push holds back the items after its own, and one that stops for
// good holds them back for ever.
// Costs: push, one locked instruction and a store; pop, a load, and at the end of a slab one locked
// instruction. Memory: a slab is its items and 64 bytes, each item with a mark: as large as its
// alignment, or a byte for items of 64 bytes and more; rounded up to a multiple of
// ticket::alignment. A new slab's items are not touched if they are that large.
// Source: the slabs and the spare one, slab_queue; a pointer and an index in one word are common.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/attributes.hpp"
#include "fencepost/exceptions.hpp"
#include "fencepost/queue/ticket.hpp"

namespace fencepost {

// Slots: the number of slots in a slab. 508 of 16 bytes, as for an item of 8, make 8 KiB.
template <class T, class P = default_atomics, std::uint32_t Slots = 508>
class ticket_queue {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                "an item whose move throws would be lost: make its move noexcept, or queue a "
                "std::unique_ptr to it");

 public:
  // Allocates two slabs. Throws std::bad_alloc. Construction must happen before every push.
  ticket_queue()
      : ticket_queue(std::make_unique_for_overwrite<slab>(),
                     std::make_unique_for_overwrite<slab>()) {}
  // Destroys the items that were not popped. Every push must happen before, or its item must have
  // been popped: a producer does not access the queue after its last item was popped.
  ~ticket_queue();
  ticket_queue(const ticket_queue&) = delete;
  ticket_queue& operator=(const ticket_queue&) = delete;

  // Any thread. Adds an item. Everything before this call happens before the return of the pop of
  // this item. Lock-free apart from the allocator.
  // push throws std::bad_alloc, and try_push returns false, when a slab is needed and there is no
  // memory: then `item` and the queue are unchanged.
  void push(T&& item);
  [[nodiscard]] bool try_push(T&& item) noexcept;

  // Consumer. Takes the next item, in the order of the tickets; returns nothing only if the queue
  // is empty, or the push of the next item has not returned yet. Wait-free.
  [[nodiscard]] FENCEPOST_INLINE std::optional<T> pop() noexcept;
  // Consumer. Whether pop() would return an item. If not, the push of the next one has not
  // returned: the producer that pushes it can wake a consumer that sleeps. Wait-free.
  [[nodiscard]] bool ready() noexcept;
  // Consumer. Whether every item whose push happens before this call has been popped. It may be
  // false while pop() returns nothing: see ready(). Wait-free.
  [[nodiscard]] bool empty() noexcept;

 private:
  struct cell {  // unwatched: each is a plain.
    alignas(T) std::byte bytes[sizeof(T)];
  };
  // A slot is published if its mark equals the slab's turn. Every slot of a slab is used in each
  // turn, so at the end of one all marks equal that turn, and the next turn need not reset any.
  using mark_type = typename P::template atomic<bool>;
  using item_type = typename P::template plain<cell>;
  static constexpr std::size_t cache_line = 64;
  // Small items: a slot's mark and item move between processors in one cache line.
  class marks_beside_items {
   public:
    mark_type& mark(std::uint32_t number) noexcept { return slots_[number].mark; }
    item_type& item(std::uint32_t number) noexcept { return slots_[number].item; }

   private:
    struct slot {
      mark_type mark{false};
      item_type item;
    };
    std::array<slot, Slots> slots_;
  };
  // Large items: each has cache lines of its own, and only the marks are initialised.
  class marks_before_items {
   public:
    mark_type& mark(std::uint32_t number) noexcept { return marks_[number]; }
    item_type& item(std::uint32_t number) noexcept { return items_[number]; }

   private:
    std::array<mark_type, Slots> marks_{};
    alignas(std::max(cache_line, alignof(T))) std::array<item_type, Slots> items_;
  };
  using slots_type =
      std::conditional_t<(sizeof(T) < cache_line), marks_beside_items, marks_before_items>;
  struct slab;
  using ticket_type = ticket<slab, Slots>;
  // One alignas each: of two on a class, g++ 12 takes the last.
  struct alignas(std::max({cache_line, std::size_t{ticket_type::alignment}, alignof(T)})) slab {
    typename P::template atomic<slab*> next{nullptr};  // the slab after this one; null: none yet
    typename P::template plain<bool> turn{true};       // flips each time that the slab is used
    // unwatched: each mark and each item is watched by itself.
    alignas(std::max(cache_line, alignof(T))) slots_type slots;
  };

  ticket_queue(std::unique_ptr<slab> first, std::unique_ptr<slab> spare) noexcept
      : tail_(ticket_type::first_of(first.get()).word()),
        spare_(spare.release()),
        oldest_(first.release()) {}

  ticket_type draw() noexcept;
  FENCEPOST_NOINLINE ticket_type append(ticket_type full) noexcept;
  slab* obtain() noexcept;
  void recycle(slab* unused) noexcept;
  FENCEPOST_NOINLINE bool follow() noexcept;

  // Used by producers: the ticket that is drawn next.
  alignas(cache_line) typename P::template atomic<std::uintptr_t> tail_;
  typename P::template atomic<slab*> spare_;  // one empty slab, or null

  // Used by the consumer: the slot that it takes next. Slot number Slots: the first of the next
  // slab.
  // unwatched: the consumer's alone, the next three.
  alignas(cache_line) slab* oldest_;
  std::uint32_t slot_ = 0;
  bool turn_ = true;  // oldest_'s
};

template <class T, class P, std::uint32_t Slots>
bool ticket_queue<T, P, Slots>::try_push(T&& item) noexcept {
  static_assert(alignof(slab) >= ticket_type::alignment, "the slot is in the address's low bits");
  const ticket_type mine = draw();
  slab* const in = mine.slab();
  if (in == nullptr) [[unlikely]] {
    return false;
  }
  std::construct_at(reinterpret_cast<T*>(in->slots.item(mine.slot()).write().bytes),
                    std::move(item));
  // [publish] release, with [published]: the consumer then observes the item. The producer's last
  // access.
  in->slots.mark(mine.slot()).store(in->turn.get(), std::memory_order_release);
  return true;
}

template <class T, class P, std::uint32_t Slots>
void ticket_queue<T, P, Slots>::push(T&& item) {
  if (!try_push(std::move(item))) [[unlikely]] {
    detail::raise<std::bad_alloc>();
  }
}

// Draws a ticket for this producer; it is one of no slab if there is no memory.
template <class T, class P, std::uint32_t Slots>
inline auto ticket_queue<T, P, Slots>::draw() noexcept -> ticket_type {
  // [look] relaxed, alone: no slab is accessed before the tail has been moved to the next slot.
  std::uintptr_t tail = tail_.load(std::memory_order_relaxed);
  for (;;) {
    const ticket_type mine{tail};
    if (mine.used_up()) [[unlikely]] {
      const ticket_type first = append(mine);
      if (!first.used_up()) return first;
      // [look_again] relaxed, alone: see look.
      tail = tail_.load(std::memory_order_relaxed);
      // [draw] acquire, relaxed on failure, with [append]: the slab is visible, as its producer
      // appended it, through the draws since. Relaxed on failure: see look.
    } else if (tail_.compare_exchange_weak(tail, mine.next().word(), std::memory_order_acquire,
                                           std::memory_order_relaxed)) [[likely]] {
      return mine;
    }
  }
}

// Appends a slab to the last one, which was `full` when this producer looked, and draws its first
// ticket. Returns a ticket of no slab if there is no memory, and one that is used up if another
// producer was faster.
template <class T, class P, std::uint32_t Slots>
auto ticket_queue<T, P, Slots>::append(ticket_type full) noexcept -> ticket_type {
  slab* const fresh = obtain();
  if (fresh == nullptr) return {};
  const ticket_type mine = ticket_type::first_of(fresh);
  std::uintptr_t tail = full.word();
  do {
    full = ticket_type{tail};
    // The slab that is used up stays: the consumer does not leave it before it is linked to the
    // next, which is done by the producer whose exchange succeeds.
    // [append] acq_rel, relaxed on failure, with [append], [draw]: publishes the new slab; and the
    // used one is visible, as its producer appended it, before it is linked. Relaxed on failure:
    // see look.
    if (tail_.compare_exchange_weak(tail, mine.next().word(), std::memory_order_acq_rel,
                                    std::memory_order_relaxed)) {
      // [link] release, with [follow]: the new slab is visible to the consumer.
      full.slab()->next.store(fresh, std::memory_order_release);
      return mine;
    }
  } while (ticket_type{tail}.used_up());
  recycle(fresh);
  return full;
}

// Any thread. Returns an empty slab, or null if there is no memory.
template <class T, class P, std::uint32_t Slots>
auto ticket_queue<T, P, Slots>::obtain() noexcept -> slab* {
  // [obtain] acquire, with [recycle]: the slab is reset.
  slab* const spare = spare_.exchange(nullptr, std::memory_order_acquire);
  return spare != nullptr ? spare : new (std::nothrow) slab;
}

// Any thread. Keeps `unused`, which it owns and has reset, as the spare if there is none; else
// frees it.
template <class T, class P, std::uint32_t Slots>
void ticket_queue<T, P, Slots>::recycle(slab* unused) noexcept {
  slab* none = nullptr;
  // [recycle] release, relaxed on failure, with [obtain]: the slab is reset. Relaxed on failure:
  // the value is not used. kept strong: a spurious failure would throw a spare slab away.
  if (!spare_.compare_exchange_strong(none, unused, std::memory_order_release,
                                      std::memory_order_relaxed)) {
    delete unused;
  }
}

// Inlined: see slab_queue::pop.
template <class T, class P, std::uint32_t Slots>
std::optional<T> ticket_queue<T, P, Slots>::pop() noexcept {
  if (!ready()) return std::nullopt;
  T* const item = std::launder(reinterpret_cast<T*>(oldest_->slots.item(slot_).write().bytes));
  std::optional<T> out{std::move(*item)};
  std::destroy_at(item);
  if (++slot_ == Slots) [[unlikely]] {
    follow();
  }
  return out;
}

template <class T, class P, std::uint32_t Slots>
bool ticket_queue<T, P, Slots>::ready() noexcept {
  if (slot_ == Slots && !follow()) [[unlikely]] {
    return false;
  }
  // [published] acquire, with [publish]: the item is visible.
  return oldest_->slots.mark(slot_).load(std::memory_order_acquire) == turn_;
}

template <class T, class P, std::uint32_t Slots>
bool ticket_queue<T, P, Slots>::empty() noexcept {
  if (ready()) return false;
  // [last] relaxed, alone: only the value is used. It is as new as the last item popped, so a
  // ticket of an earlier turn of the slab is not mistaken for the current one.
  const ticket_type next{tail_.load(std::memory_order_relaxed)};
  return next.slab() == oldest_ && next.slot() == slot_;
}

// Called when all items of the oldest slab are taken. Advances to the next slab; the old one
// becomes the spare or is freed: no producer touches it, for each that did has published its item,
// or has linked the next. Returns false if there is no next slab yet.
template <class T, class P, std::uint32_t Slots>
bool ticket_queue<T, P, Slots>::follow() noexcept {
  slab* const emptied = oldest_;
  // [follow] acquire, with [link]: the next slab is visible, and the link is done.
  slab* const next = emptied->next.load(std::memory_order_acquire);
  if (next == nullptr) return false;
  oldest_ = next;
  slot_ = 0;
  turn_ = next->turn.get();
  // [unlink] relaxed, alone: the slab is handed over by recycle.
  emptied->next.store(nullptr, std::memory_order_relaxed);
  emptied->turn.set(!emptied->turn.get());
  recycle(emptied);
  return true;
}

template <class T, class P, std::uint32_t Slots>
ticket_queue<T, P, Slots>::~ticket_queue() {
  while (pop()) {
  }
  delete oldest_;
  // [destroy] relaxed, alone: no other thread accesses the queue.
  delete spare_.load(std::memory_order_relaxed);
}

}  // namespace fencepost
