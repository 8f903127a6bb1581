// A growing work-stealing deque: Chase and Lev's, with the memory orders of C++20.
//
//        front                              back
//   -------+----------------------------------+------------
//    gone  |  items, the oldest at the front  |   free        indices, which only increase
//   -------+----------------------------------+------------
//     thieves take here             the owner pushes and pops here
//
// Indices count from the first item on and never recur; index & mask is the slot. Front advances by
// compare-exchange only. The owner pops by moving back below the item and then reading front; if
// front is not below that item, it is the last, and the owner takes it as a thief does.
//
// Threads: one thread, the owner, calls push(), try_push(), make_room(), pop(), size() and
// capacity(); any thread, the owner included, calls steal() and length(). Construction and
// destruction happen before and after all.
//
// Claims (each a scenario, chase_lev/…):
//   every item is obtained exactly once, by the owner or a thief     steal_against_pop,
//                                                                    owner_and_two_thieves,
//                                                                    three_thieves
//   ... the last one, contended by all                               last_item_contended
//   ... contended by two thieves and a pop                           pop_against_two_thieves
//   ... though the owner takes the oldest as well                    owner_steals_too
//   ... while the buffer grows                                       growth_against_two_thieves,
//                                                                    new_buffer_old_back
//   ... when a slot is reused                                        slot_comes_round
//   ... after the deque was empty                                    push_after_empty
//   a thief's item is fully published, whichever store of back       item_is_whole,
//   it read                                                          published_by_pop
//   the operations are linearizable, all but size()                  linearizable,
//                                                                    linearizable_with_two_thieves
//   empty, retry and stolen are accurate                             empty_is_true,
//                                                                    retry_is_another_s_success,
//                                                                    pushes_turn_no_thief_away
//   a push that finds no room changes nothing                        full_deque_loses_nothing
//   thieves read only live buffers, and every buffer is freed        growth_against_two_thieves
//   the result of a stolen item can be returned in its own record    result_comes_back
//
// Ordering: for any threads X and Y: everything sequenced before a push() of X, the owner, happens
// before the return of Y's steal() of that item. Nothing flows back, and a push does not order a
// store of X before a later load of X: an owner that pushes and then looks for sleepers needs a
// fence between.
// Progress: pop, and push while there is room, are wait-free; a push that grows copies all items.
// steal never loops; it fails only because another thread took an item: lock-free.
// Costs: push, stores only (a release store on AArch64, nothing locked anywhere); pop, one
// sequentially consistent store (xchg on x86, stlr on AArch64), one compare-exchange for the last
// item, nothing at all on a deque that is known to be empty; steal, one compare-exchange when
// there is an item, otherwise loads only. No fence. Buffers are kept until the deque is destroyed:
// less than twice the memory of the largest. Allocates only when it grows.
// Source: D. Chase and Y. Lev, "Dynamic circular work-stealing deque" (SPAA 2005); N. M. Lê et al.,
// "Correct and efficient work-stealing for weak memory models" (PPoPP 2013), with sequentially
// consistent accesses in place of its fences and its defect in growing repaired.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/chase_lev_buffer.hpp"
#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/exceptions.hpp"

namespace fencepost {

// T: trivially copyable, default constructible, at most 8 bytes and aligned to its size (compilers
// call a library for other atomics): a pointer, an index, a handle.
// boxed_chase_lev.hpp takes any other.
template <class T, class P = default_atomics>
class chase_lev {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8,
                "a thief copies an item before it knows whether it obtains it: items are trivially "
                "copyable and at most 8 bytes; use boxed_chase_lev for others");
  static_assert(alignof(T) == sizeof(T), "an item is aligned to its size: give it alignas");
  static_assert(P::template atomic<T>::is_always_lock_free, "a slot is a lock-free atomic");

 public:
  static constexpr std::size_t default_capacity = 32;
  static constexpr std::size_t greatest_capacity = std::size_t{1} << (sizeof(void*) * 8 - 6);

  // Has room for `capacity` items, and grows by doubling, up to `limit`. Both are powers of two.
  // Throws std::invalid_argument if they are not, std::length_error if capacity > limit or limit >
  // greatest_capacity, and std::bad_alloc.
  explicit chase_lev(std::size_t capacity = default_capacity,
                     std::size_t limit = greatest_capacity);
  ~chase_lev();

  chase_lev(const chase_lev&) = delete;
  chase_lev& operator=(const chase_lev&) = delete;

  // Owner. Adds an item. Everything before this call is visible to the thread that obtains it.
  // Wait-free while there is room. Grows when there is none: throws std::length_error at the limit,
  // and std::bad_alloc when there is no memory; then nothing has changed.
  void push(T item);
  // Owner. The same, without growing: returns false when there is no room, and then nothing has
  // changed. An item that was just stolen may still take up room.
  [[nodiscard]] bool try_push(T item) noexcept;
  // Owner. Makes room for one more item at least. Throws as push() does; nothing has changed then.
  void make_room();

  // Owner. Takes the item that was pushed last; nothing if there is none. Wait-free.
  [[nodiscard]] std::optional<T> pop() noexcept;

  // The result of a steal; the item is set if one was stolen. unwatched: returned by value.
  struct theft {
    steal_outcome outcome;
    T item{};
  };
  // Thief, or owner. Takes the oldest item; everything before its push is visible to the thief.
  // Empty: each item whose push happens before the call has been obtained, or is about to be.
  // Retry: another thread obtained an item, so that a loop of steals is lock-free.
  [[nodiscard]] theft steal() noexcept;

  // Owner. The number of items not yet taken; thieves may reduce it at any time, so it need not
  // have been accurate at any moment (chase_lev/size_of_no_moment).
  std::size_t size() const noexcept;
  // Any thread. Approximately the same: the two ends are read at different moments. Exact if no
  // other thread uses the deque meanwhile, and what was done before happens before the call.
  std::size_t length() const noexcept;
  // Owner. The number of items that there is room for without growing again.
  std::size_t capacity() const noexcept {
    return static_cast<std::size_t>(owner_.slots.capacity());
  }

 private:
  using index = std::int64_t;
  using buffer = chase_lev_buffer<T, P>;

  static std::size_t checked(std::size_t capacity, std::size_t limit);
  [[noreturn]] static void overflow(std::size_t limit);

  // Owner.
  // [own_back] relaxed, alone: only the owner stores to it.
  index own_back() const noexcept { return back_.load(std::memory_order_relaxed); }
  bool full() noexcept;
  void put(T item) noexcept;
  // Out of line, so that only the fast paths of push and pop are inlined.
  FENCEPOST_NOINLINE void grow_and_put(T item);
  FENCEPOST_NOINLINE void grow();
  FENCEPOST_NOINLINE bool take_last(index last, index front) noexcept;

  static constexpr std::size_t cache_line = 64;

  // Written by thieves: the index of the oldest item.
  alignas(cache_line) typename P::template atomic<index> front_{0};

  // Written by the owner and read by thieves: one past the newest item, and the buffer. On one
  // line: a thief that reads back then reads the buffer.
  alignas(cache_line) typename P::template atomic<index> back_{0};
  typename P::template atomic<buffer*> buffer_;

  // unwatched: the owner's alone.
  struct alignas(cache_line) owner_side {
    typename buffer::ring slots;  // buffer_'s
    index front = 0;              // front_, as last read: items below are gone
    std::unique_ptr<buffer> all;  // the newest buffer, which owns the others
    std::size_t limit;
  };
  owner_side owner_;
};

template <class T, class P>
chase_lev<T, P>::chase_lev(std::size_t capacity, std::size_t limit)
    : buffer_{nullptr},
      owner_{.slots = {},
             .all = std::make_unique<buffer>(static_cast<index>(checked(capacity, limit))),
             .limit = limit} {
  owner_.slots = owner_.all->slots();
  // [construct] relaxed, alone: construction happens before everything else.
  buffer_.store(owner_.all.get(), std::memory_order_relaxed);
}

template <class T, class P>
chase_lev<T, P>::~chase_lev() = default;

// Whether there is no room for one more item.
template <class T, class P>
inline bool chase_lev<T, P>::full() noexcept {
  const index back = own_back();
  if (back - owner_.front < owner_.slots.capacity()) [[likely]]
    return false;
  // [full] acquire, with [steal.take]: a thief has read its slot before it advances front; the item
  // of the next round is stored to it after this. A stale value is safe: then there is less room.
  // kept acquire: with atomic slots it is against load buffering: slot_comes_round under xc20.
  owner_.front = front_.load(std::memory_order_acquire);
  return back - owner_.front >= owner_.slots.capacity();
}

template <class T, class P>
inline void chase_lev<T, P>::put(T item) noexcept {
  const index at = own_back();
  // [put.item] relaxed, with [steal.item]: published by the store of back_.
  owner_.slots[at].store(item, std::memory_order_relaxed);
  // [put] release, with [steal.back]: publishes the item, what it points to, and the buffer that it
  // is in.
  back_.store(at + 1, std::memory_order_release);
}

template <class T, class P>
inline bool chase_lev<T, P>::try_push(T item) noexcept {
  if (full()) [[unlikely]]
    return false;
  put(item);
  return true;
}

template <class T, class P>
inline void chase_lev<T, P>::push(T item) {
  if (full()) [[unlikely]]
    return grow_and_put(item);
  put(item);
}

template <class T, class P>
inline void chase_lev<T, P>::make_room() {
  if (full()) [[unlikely]]
    grow();
}

template <class T, class P>
void chase_lev<T, P>::grow_and_put(T item) {
  grow();
  put(item);
}

template <class T, class P>
void chase_lev<T, P>::grow() {
  if (capacity() >= owner_.limit) overflow(owner_.limit);
  owner_.all = std::make_unique<buffer>(std::move(owner_.all), owner_.front, own_back());
  owner_.slots = owner_.all->slots();
  // [grow] release, with [steal.buffer]: the store of back that follows does not suffice: a thief
  // may have read an older value of back.
  buffer_.store(owner_.all.get(), std::memory_order_release);
}

template <class T, class P>
inline std::optional<T> chase_lev<T, P>::pop() noexcept {
  const index last = own_back() - 1;
  if (last < owner_.front) return std::nullopt;  // front is no lower
  // [pop.back] seq_cst, with [steal.back]: store buffering: of a pop and a steal that compete for
  // one item, at least one observes the other's step. A release as well, for thieves that read it
  // and take an item below (since C++20 it is not in the release sequence of the store in put()).
  back_.store(last, std::memory_order_seq_cst);
  // [pop.front] seq_cst, with [steal.take]: an exchange that this load misses is later in the
  // single total order, and so are the next accesses of the thieves that observe it.
  const index front = front_.load(std::memory_order_seq_cst);
  if (front >= last && !take_last(last, front)) [[unlikely]]
    return std::nullopt;
  // [pop.item] relaxed, alone: only the owner stores to slots.
  return owner_.slots[last].load(std::memory_order_relaxed);
}

// Back has been lowered to `last`, and front was there or above. True if the owner has taken the
// item.
template <class T, class P>
bool chase_lev<T, P>::take_last(index last, index front) noexcept {
  index expected = last;
  // [take_last] release, relaxed on failure, with [steal.front]: a thief that observes this reads
  // back no higher than each earlier pop has set it.
  const bool mine =
      front == last && front_.compare_exchange_strong(expected, last + 1, std::memory_order_release,
                                                      std::memory_order_relaxed);
  // [take_last.back] release, with [steal.back]: the deque is empty, and a thief that reads this
  // takes nothing, with one exception in ISO C++: if the exchange failed because of a thief, that
  // thief may have read this store before. The release then publishes to it the item that it takes.
  // kept release: that is a cycle of program order and reads-from, load buffering, which rc20
  // excludes; under xc20 chase_lev/result_comes_back needs it.
  back_.store(last + 1, std::memory_order_release);
  owner_.front = mine ? last + 1 : front;  // not what a failed exchange read: see full()
  return mine;
}

template <class T, class P>
inline auto chase_lev<T, P>::steal() noexcept -> theft {
  // [steal.front] seq_cst, with [steal.take], [take_last]: before the load of back: a thief that
  // observes an exchange missed by a pop reads back at most as high as that pop has set it.
  index front = front_.load(std::memory_order_seq_cst);
  // [steal.back] seq_cst, with [pop.back], [put], [take_last.back]: store buffering, see pop(). As
  // an acquire: the item is visible.
  const index back = back_.load(std::memory_order_seq_cst);
  if (front >= back) return {steal_outcome::no_work};
  // [steal.buffer] acquire, with [grow]: the buffer may be newer than back.
  const auto slots = buffer_.load(std::memory_order_acquire)->slots();
  // [steal.item] relaxed, with [put.item], [chase_lev_buffer.hpp/copy]: a guess: not yet ours.
  const T item = slots[front].load(std::memory_order_relaxed);
  // [steal.take] seq_cst, relaxed on failure, with [steal.front], [pop.front], [full]: a thief that
  // reads this is later in the single total order, and a pop that missed it earlier. As a release:
  // the item has been read. Relaxed on failure: the value is not used.
  if (!front_.compare_exchange_strong(front, front + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed)) {
    return {steal_outcome::retry};
  }
  return {steal_outcome::stolen, item};
}

template <class T, class P>
std::size_t chase_lev<T, P>::size() const noexcept {
  // [size] relaxed, alone: the number is outdated either way.
  const index front = front_.load(std::memory_order_relaxed);
  return static_cast<std::size_t>(own_back() - front);
}

// A pop of the last item lowers back below front for a moment.
template <class T, class P>
std::size_t chase_lev<T, P>::length() const noexcept {
  // [length.front] relaxed, alone: the number is outdated either way. kept unexercised: nothing
  // follows from it.
  const index front = front_.load(std::memory_order_relaxed);
  // [length.back] relaxed, alone: as [length.front]. kept unexercised: as [length.front].
  const index back = back_.load(std::memory_order_relaxed);
  return back > front ? static_cast<std::size_t>(back - front) : 0;
}

template <class T, class P>
std::size_t chase_lev<T, P>::checked(std::size_t capacity, std::size_t limit) {
  if (!std::has_single_bit(capacity) || !std::has_single_bit(limit)) {
    detail::raise<std::invalid_argument>("chase_lev: a capacity of " + std::to_string(capacity) +
                                         " items with a limit of " + std::to_string(limit) +
                                         ": both must be powers of two");
  }
  if (capacity <= limit && limit <= greatest_capacity) return capacity;
  detail::raise<std::length_error>("chase_lev: a capacity of " + std::to_string(capacity) +
                                   " items with a limit of " + std::to_string(limit) +
                                   ": the limit must be at least the capacity, and at most " +
                                   std::to_string(greatest_capacity));
}

template <class T, class P>
void chase_lev<T, P>::overflow(std::size_t limit) {
  detail::raise<std::length_error>(
      "chase_lev: full, all " + std::to_string(limit) +
      " slots are in use and it may not grow further; construct it with a "
      "higher limit, or run the item when try_push() refuses it");
}

}  // namespace fencepost
