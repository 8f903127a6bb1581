// A lock-free queue from many producers to one consumer: slabs of slots, in a list.
//
//   oldest_            newest_ (the last that the consumer knows)          tail_
//      |                  |                                                  |
//      v      newer       v                                                  v
//   +------+ -------> +------+ <---------------- +------+ <-------------- +------+
//   | slab |          | slab |        older      | slab |      older      | slab |  <- push
//   +------+          +------+                   +------+                 +------+
//
// A producer reserves a slot of the last slab, writes its item and publishes it by a bit. If the
// slab is full, it appends another. The consumer takes published items, lowest slot of the oldest
// slab first. A slab is retired once all its slots are taken, it is not the last, and no producer
// may still access it (refcount_buckets.hpp). One empty slab is kept for the next producer that
// needs one, so that two slabs alternate without an allocation.
//
// Threads: push and try_push, any thread; the rest, one thread at a time, the consumer.
// Construction and destruction: see below.
//
// Claims (scenarios of slab_queue/):
//   every item is popped exactly once, whole           nothing_is_lost, slab_boundary
//   ... while producers race to append a slab          race_to_append
//   ... when slots are published out of order          published_out_of_order
//   ... over words and slabs, at larger bounds         two_producers_over_slabs
//   no slab is freed while a producer may touch it     no_slab_is_freed_in_use,
//                                                      no_slab_is_freed_by_buckets,
//                                                      no_address_is_mistaken
//   a recycled slab works like a new one               free_slab_is_used_again, tail_comes_back
//   if one push happens before another, its item is popped first: the items of one producer are
//   popped in its order, across words and slabs        fifo_across_words, fifo_across_slabs,
//                                                      causal_order
//   the consumer may destroy the queue as soon as it has popped the last item
//                                                      destroyed_after_the_last_pop
//   what is left is destroyed with the queue           left_items_are_destroyed
//   empty() does not overlook an item                  empty_is_not_mistaken
//   the operations are linearizable                    linearizable, linearizable_over_slabs
//
// Memory: two slabs at first, and again after a burst has been popped and no producer is inside
// push. While no push is concurrent with another, or with a pop,
//   - the first 2 x slots pushes do not allocate;
//   - from then on a push that leaves at most `slots` items in the queue does not allocate. Not
//     more: the last slab may be used up and empty, and stay until another is appended and popped
//     from.
// Two producers that concurrently find the slab full may each allocate; one slab is freed.
//
// Ordering: for any threads X and Y: everything sequenced before X's push() happens before the
// return of the pop() by Y, the consumer, of that item. Nothing flows back from the consumer.
// Progress: push is lock-free, apart from the allocator: it restarts only when another producer
// has appended a slab. pop is wait-free: it reads at most all words of all slabs, for each word
// that has a gap. A producer that stops for good between reserve and publish keeps its slab; all
// others are retired.
// Costs: push, four locked instructions; pop, one load for up to 64 items (word_bits), and at the
// end of a slab one locked instruction. Memory: a slab is its items and 256 bytes.
// Source: Perfetto's LockFreeTaskRunner (design document), corrected as docs/findings/perfetto.md
// says.
#pragma once

#include <atomic>
#include <bit>
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
#include "fencepost/queue/refcount_buckets.hpp"
#include "fencepost/queue/slab.hpp"
#include "fencepost/queue/slab_list.hpp"

namespace fencepost {

template <class T, class P = default_atomics, slab_shape Shape = slab_shape{},
          class Buckets = refcount_buckets<P, Shape.buckets>>
class slab_queue {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                "an item whose move throws would be lost: make its move noexcept, or queue a "
                "std::unique_ptr to it");

 public:
  // Allocates two slabs. Throws std::bad_alloc. Construction must happen before every push.
  slab_queue()
      : slab_queue(std::make_unique_for_overwrite<slab_type>(),
                   std::make_unique_for_overwrite<slab_type>()) {}
  // Destroys the items that were not popped. Every push must happen before, or its item must have
  // been popped: a producer does not access the queue after its last item was popped.
  ~slab_queue();
  slab_queue(const slab_queue&) = delete;
  slab_queue& operator=(const slab_queue&) = delete;

  // Any thread. Adds an item. Everything before this call happens before the return of the pop of
  // this item. Lock-free apart from the allocator.
  // push throws std::bad_alloc, and try_push returns false, when a slab is needed and there is no
  // memory: then `item` and the queue are unchanged.
  void push(T&& item);
  [[nodiscard]] bool try_push(T&& item) noexcept;

  // Consumer. Takes the next item; returns nothing only if every item whose push happens before
  // this call has been popped. For any items X and Y: if the push of X happens before that of Y, X
  // is popped before Y. Wait-free.
  [[nodiscard]] FENCEPOST_INLINE std::optional<T> pop() noexcept;
  // Consumer. Whether pop() would return nothing. Wait-free.
  [[nodiscard]] bool empty() noexcept { return batch_.bits == 0 && !find(); }

 private:
  using slab_type = slab<T, P, Shape>;

  struct place {  // unwatched: returned by value.
    slab_type* in;
    std::uint64_t slot;
  };

  slab_queue(std::unique_ptr<slab_type> first, std::unique_ptr<slab_type> spare) noexcept
      : tail_(first.get()), spare_(spare.release()), list_(first.release()) {}

  place reserve() noexcept;
  FENCEPOST_NOINLINE place append(slab_type* full) noexcept;
  slab_type* obtain() noexcept;
  void recycle(slab_type* unused) noexcept;

  FENCEPOST_NOINLINE bool find() noexcept;
  bool discover() noexcept;
  FENCEPOST_NOINLINE void emptied() noexcept;
  void retire() noexcept;

  static constexpr std::size_t cache_line = 64;

  // Used by producers.
  alignas(cache_line) typename P::template atomic<slab_type*> tail_;
  typename P::template atomic<slab_type*> spare_;  // one empty slab, or null
  Buckets buckets_;

  // Used by the consumer alone.
  alignas(cache_line) slab_list<slab_type> list_;
  typename slab_list<slab_type>::batch batch_;  // the items that it takes next
};

template <class T, class P, slab_shape Shape, class Buckets>
bool slab_queue<T, P, Shape, Buckets>::try_push(T&& item) noexcept {
  const place mine = reserve();
  if (mine.in == nullptr) [[unlikely]] {
    return false;
  }
  mine.in->write(mine.slot, std::move(item));
  mine.in->publish(mine.slot);  // the producer's last access
  return true;
}

template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::push(T&& item) {
  if (!try_push(std::move(item))) [[unlikely]] {
    detail::raise<std::bad_alloc>();
  }
}

// Reserves a slot for this producer; the slab is null if there is no memory.
template <class T, class P, slab_shape Shape, class Buckets>
inline auto slab_queue<T, P, Shape, Buckets>::reserve() noexcept -> place {
  for (;;) {
    // [guess] relaxed, alone: only the address is used.
    slab_type* const last = tail_.load(std::memory_order_relaxed);
    auto& held = buckets_.hold(last);
    // The slab may have been retired before hold(). If it is the last one now, it was not retired,
    // or it was recycled, and it stays until drop().
    // [second_look] acquire, with [append]: the slab is visible, as its producer appended it.
    if (tail_.load(std::memory_order_acquire) != last) [[unlikely]] {
      buckets_.drop(held);
      continue;
    }
    place mine{last, last->reserve()};
    bool again = false;
    if (mine.slot >= slab_type::slots) [[unlikely]] {
      mine = append(last);
      again = mine.in == last;
    }
    // From here on the reserved slot protects the slab.
    buckets_.drop(held);
    if (!again) return mine;
  }
}

// Appends a slab to the full one, which the caller holds, and reserves its slot 0. The slab is null
// if there is no memory, and `full` if another producer was faster.
template <class T, class P, slab_shape Shape, class Buckets>
auto slab_queue<T, P, Shape, Buckets>::append(slab_type* full) noexcept -> place {
  slab_type* const fresh = obtain();
  if (fresh == nullptr) return {nullptr, 0};
  fresh->older.set(full);
  fresh->reserve_first();
  slab_type* expected = full;
  // The full slab is held, so it cannot have been recycled.
  // [append] release, relaxed on failure, with [second_look], [discover]: publishes the slab, and
  // the one before it. Relaxed on failure: the value is not used. kept strong: a spurious failure
  // would waste an obtained slab.
  if (tail_.compare_exchange_strong(expected, fresh, std::memory_order_release,
                                    std::memory_order_relaxed)) {
    return {fresh, 0};
  }
  recycle(fresh);
  return {full, 0};
}

// Any thread. Returns an empty slab, or null if there is no memory.
template <class T, class P, slab_shape Shape, class Buckets>
auto slab_queue<T, P, Shape, Buckets>::obtain() noexcept -> slab_type* {
  // [obtain] acquire, with [recycle]: the slab is reset.
  slab_type* const spare = spare_.exchange(nullptr, std::memory_order_acquire);
  return spare != nullptr ? spare : new (std::nothrow) slab_type;
}

// Any thread. Keeps `unused`, which it owns and has reset, as the spare if there is none; else
// frees it.
template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::recycle(slab_type* unused) noexcept {
  slab_type* none = nullptr;
  // [recycle] release, relaxed on failure, with [obtain]: the slab is reset. Relaxed on failure:
  // the value is not used. kept strong: a spurious failure would throw a spare slab away.
  if (!spare_.compare_exchange_strong(none, unused, std::memory_order_release,
                                      std::memory_order_relaxed)) {
    delete unused;
  }
}

// Inlined: otherwise g++ 12 builds the optional in memory, and reads it back in another width than
// it wrote. That takes longer than all the rest.
template <class T, class P, slab_shape Shape, class Buckets>
std::optional<T> slab_queue<T, P, Shape, Buckets>::pop() noexcept {
  if (batch_.bits == 0 && !find()) return std::nullopt;
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(batch_.bits));
  batch_.bits &= batch_.bits - 1;
  slab_type& from = *batch_.in;
  std::optional<T> item{from.take(batch_.word * Shape.word_bits + bit)};
  if (--from.consumer.write().left == 0) [[unlikely]] {
    emptied();
  }
  return item;
}

// Refills the batch, which is used up, with the first items in the queue; false if there are none.
template <class T, class P, slab_shape Shape, class Buckets>
bool slab_queue<T, P, Shape, Buckets>::find() noexcept {
  if (list_.any_emptied()) retire();
  auto found = list_.first_items();
  if (found.in == nullptr && discover()) found = list_.first_items();
  if (found.in == nullptr) return false;
  list_.claim(found);
  batch_ = found;
  return true;
}

// Links the slabs that were appended since the last call; false if there are none.
template <class T, class P, slab_shape Shape, class Buckets>
bool slab_queue<T, P, Shape, Buckets>::discover() noexcept {
  // [discover] acquire, with [append]: that of each slab, through the ones appended after it.
  if (!list_.link(tail_.load(std::memory_order_acquire))) return false;
  if (list_.any_emptied()) retire();
  return true;
}

// Called when the last slot of a slab has been taken. Retires now: a producer may need the slab.
template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::emptied() noexcept {
  list_.count_emptied();
  if (!discover()) retire();
}

// Recycles as a spare, or frees, a slab that is empty, not the last, and accessed by no producer.
template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::retire() noexcept {
  list_.remove_emptied([this](slab_type* emptied) {
    // The tail was observed beyond this slab, in discover(). See refcount_buckets.hpp.
    if (!buckets_.idle(emptied)) return false;
    emptied->clear();
    recycle(emptied);
    return true;
  });
}

template <class T, class P, slab_shape Shape, class Buckets>
slab_queue<T, P, Shape, Buckets>::~slab_queue() {
  while (pop()) {
  }
  discover();
  list_.clear([](slab_type* in) { delete in; });
  // [destroy] relaxed, alone: no other thread accesses the queue.
  delete spare_.load(std::memory_order_relaxed);
}

}  // namespace fencepost
