// A queue from many producers to one consumer without locks: slabs of slots, in a list.
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
// slab first. A slab is retired when all its slots are taken, it is not the last, and no producer
// may still look at it (refcount_buckets.hpp). One empty slab is kept for the next producer that
// needs one, so that two slabs take turns without an allocation.
//
// Who may call: push and try_push, any thread; the rest, one thread at a time, the consumer.
// Construction and destruction: see below.
//
// Claims:
//   every item is popped exactly once, whole           nothing_is_lost, slab_boundary
//   ... while producers race to append a slab          race_to_append
//   ... when slots are published out of order          published_out_of_order
//   no slab is freed while a producer may touch it     no_slab_is_freed_in_use,
//                                                      retire_against_two_producers
//   a slab that comes back is a slab like any other    free_slab_is_used_again, tail_comes_back
//   if one push happens before another, its item is popped first: the items of a producer come in
//   its order, across words and slabs                  fifo_across_words, fifo_across_slabs,
//                                                      causal_order
//   the consumer may destroy the queue as soon as it has popped the last item
//                                                      destroyed_after_the_last_pop
//   empty() does not overlook an item                  empty_is_not_mistaken
//
// Memory: two slabs at first, and again after a burst has been popped and no producer is inside
// push. With no push that runs at the same time as another one, or as a pop,
//   - the first 2 x slots pushes do not allocate;
//   - from then on a push does not allocate that leaves at most `slots` items in the queue. Not
//     more: the last slab may be used up and empty, and stay until another is appended and popped
//     from.
// Two producers that find the slab full at once may each allocate; one of the two slabs is freed.
//
// Progress: push is lock-free, apart from the allocator: it starts anew only when another producer
// has appended a slab. pop is wait-free: it looks at most at all words of all slabs, for each word
// that has a gap. A producer that stops for good between reserve and publish keeps its slab; all
// others are retired.
// Costs: push, four locked instructions; pop, one load for up to 64 items (word_bits), none of it
// locked but one at the end of a slab. Memory: slots x sizeof(T) a slab, and a few lines.
// Source: Perfetto's LockFreeTaskRunner (design document), corrected in what docs/findings/perfetto
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

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/queue/refcount_buckets.hpp"
#include "fencepost/queue/slab.hpp"

namespace fencepost {

template <class T, class P = std_atomics, slab_shape Shape = slab_shape{},
          class Buckets = refcount_buckets<P, Shape.buckets>>
class slab_queue {
  static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                "an item that is half moved would be lost: move it without exceptions, or queue a "
                "std::unique_ptr to it");

 public:
  // Allocates two slabs. Throws std::bad_alloc. To be known to a producer it must be handed over.
  slab_queue() : slab_queue(std::make_unique<slab_type>(), std::make_unique<slab_type>()) {}
  // Destroys the items that were not popped. Every push has happened before, or its item has been
  // popped: after the pop of a producer's last item that producer does not touch the queue.
  ~slab_queue();
  slab_queue(const slab_queue&) = delete;
  slab_queue& operator=(const slab_queue&) = delete;

  // Any thread. Adds an item. What this thread did before is visible to the consumer after the pop
  // of this item. Lock-free apart from the allocator.
  // push throws std::bad_alloc, and try_push says false, when a slab is needed and there is no
  // memory: then `item` and the queue are as they were.
  void push(T&& item);
  [[nodiscard]] bool try_push(T&& item) noexcept;

  // Consumer. The next item; none: no item was there whose push happened before this call, and
  // that has not been popped. For any items X and Y: if the push of X happens before that of Y, X
  // is popped before Y. Wait-free.
  [[nodiscard]] std::optional<T> pop() noexcept;
  // Consumer. Whether pop() would come back with nothing. Wait-free.
  [[nodiscard]] bool empty() noexcept { return batch_.bits == 0 && !find(); }

 private:
  using slab_type = slab<T, P, Shape>;

  // Published items of a word that the consumer is about to take, or has found.
  struct batch {
    slab_type* in = nullptr;
    std::uint32_t word = 0;
    std::uint64_t bits = 0;
  };
  struct place {
    slab_type* in;
    std::uint64_t slot;
  };

  slab_queue(std::unique_ptr<slab_type> first, std::unique_ptr<slab_type> spare) noexcept
      : tail_(first.get()),
        spare_(spare.release()),
        oldest_(first.get()),
        newest_(first.release()) {}

  place reserve() noexcept;
  [[gnu::noinline]] place append(slab_type* full) noexcept;
  slab_type* obtain() noexcept;
  void recycle(slab_type* unused) noexcept;

  [[gnu::noinline]] bool find() noexcept;
  batch scan(batch before) const noexcept;
  bool discover() noexcept;
  [[gnu::noinline]] void emptied() noexcept;
  void retire() noexcept;

  static constexpr std::size_t cache_line = 64;

  // The producers'.
  alignas(cache_line) typename P::template atomic<slab_type*> tail_;
  typename P::template atomic<slab_type*> spare_;  // one empty slab, or null
  Buckets buckets_;

  // The consumer's alone.
  alignas(cache_line) batch batch_;
  slab_type* oldest_;
  slab_type* newest_;
  std::size_t emptied_ = 0;  // slabs of the list, all of whose slots are taken
};

template <class T, class P, slab_shape Shape, class Buckets>
bool slab_queue<T, P, Shape, Buckets>::try_push(T&& item) noexcept {
  const place mine = reserve();
  if (mine.in == nullptr) [[unlikely]] {
    return false;
  }
  mine.in->write(mine.slot, std::move(item));
  mine.in->publish(mine.slot);  // the last that the producer touches
  return true;
}

template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::push(T&& item) {
  if (!try_push(std::move(item))) [[unlikely]] {
    throw std::bad_alloc();
  }
}

// A slot for this producer; null: there is no memory.
template <class T, class P, slab_shape Shape, class Buckets>
auto slab_queue<T, P, Shape, Buckets>::reserve() noexcept -> place {
  for (;;) {
    // Relaxed: a guess, of which the address alone is used.
    slab_type* const last = tail_.load(std::memory_order_relaxed);
    auto& held = buckets_.hold(last);
    // The slab may have been retired before hold(). If it is the last one now, it was not, or it
    // has come back, and it stays until drop(). Acquire: pairs with the release in append(), by way
    // of those that came after it.
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
    // From here on the slot is what keeps the slab.
    buckets_.drop(held);
    if (!again) return mine;
  }
}

// Appends a slab to the full one, which the caller holds, and gets its slot 0. Null: there is no
// memory; in == full: another producer was faster.
template <class T, class P, slab_shape Shape, class Buckets>
auto slab_queue<T, P, Shape, Buckets>::append(slab_type* full) noexcept -> place {
  slab_type* const fresh = obtain();
  if (fresh == nullptr) return {nullptr, 0};
  fresh->older.set(full);
  fresh->reserve_first();
  // The full slab is held, so that it cannot have gone and come back. Release: pairs with the
  // acquire in reserve() and in discover(). Relaxed on failure: nothing is used.
  slab_type* expected = full;
  if (tail_.compare_exchange_strong(expected, fresh, std::memory_order_release,
                                    std::memory_order_relaxed)) {
    return {fresh, 0};
  }
  recycle(fresh);
  return {full, 0};
}

// Any thread. An empty slab; null: there is no memory.
template <class T, class P, slab_shape Shape, class Buckets>
auto slab_queue<T, P, Shape, Buckets>::obtain() noexcept -> slab_type* {
  // Acquire: pairs with the release in recycle().
  slab_type* const spare = spare_.exchange(nullptr, std::memory_order_acquire);
  return spare != nullptr ? spare : new (std::nothrow) slab_type;
}

// Any thread, a slab that is its own, and as new. Keeps it if none is kept.
template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::recycle(slab_type* unused) noexcept {
  // Release: pairs with the acquire in obtain(). Relaxed on failure: nothing is used.
  slab_type* none = nullptr;
  if (!spare_.compare_exchange_strong(none, unused, std::memory_order_release,
                                      std::memory_order_relaxed)) {
    delete unused;
  }
}

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

// Fills the batch, which is used up, with the first items that are there; false: there are none.
template <class T, class P, slab_shape Shape, class Buckets>
bool slab_queue<T, P, Shape, Buckets>::find() noexcept {
  if (emptied_ != 0) retire();
  batch found = scan({});
  if (found.in == nullptr) {
    if (!discover()) return false;
    found = scan({});
    if (found.in == nullptr) return false;
  }
  // Between the look at an earlier word and the one that has found items, a producer may have
  // published in the first and then in the second. Now that its second item is seen, so is its
  // first: look again, as long as that finds something.
  for (batch earlier = scan(found); earlier.in != nullptr; earlier = scan(found)) found = earlier;

  auto& side = found.in->consumer.write();
  side.taken[found.word] |= found.bits;
  while (side.first != slab_type::words && side.taken[side.first] == slab_type::full_word) {
    ++side.first;
  }
  batch_ = found;
  return true;
}

// The first word that has items, before the word that is given, or before the end; no slab: none.
template <class T, class P, slab_shape Shape, class Buckets>
auto slab_queue<T, P, Shape, Buckets>::scan(batch before) const noexcept -> batch {
  for (slab_type* in = oldest_; in != nullptr;) {
    const auto& side = in->consumer.read();
    const std::uint32_t end = in == before.in ? before.word : slab_type::words;
    for (std::uint32_t word = side.first; word < end; ++word) {
      if (side.taken[word] == slab_type::full_word) continue;
      const std::uint64_t bits = in->published(word) & ~side.taken[word];
      if (bits != 0) return {in, word, bits};
    }
    in = in == before.in ? nullptr : side.newer;
  }
  return {};
}

// Links the slabs that were appended since the last time; false: there are none.
template <class T, class P, slab_shape Shape, class Buckets>
bool slab_queue<T, P, Shape, Buckets>::discover() noexcept {
  // Acquire: pairs with the release in append(), by way of those that came after it.
  slab_type* const last = tail_.load(std::memory_order_acquire);
  if (last == newest_) return false;
  slab_type* newer = nullptr;
  for (slab_type* in = last; in != newest_; in = in->older.get()) {
    in->consumer.write().newer = newer;
    newer = in;
  }
  newest_->consumer.write().newer = newer;
  newest_ = last;
  if (emptied_ != 0) retire();
  return true;
}

// The last slot of a slab has been taken. Now rather than later: a producer may want the slab.
template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::emptied() noexcept {
  ++emptied_;
  if (!discover()) retire();
}

// Takes out of the list what is emptied, not the last slab, and not looked at.
template <class T, class P, slab_shape Shape, class Buckets>
void slab_queue<T, P, Shape, Buckets>::retire() noexcept {
  slab_type** link = &oldest_;
  for (std::size_t rest = emptied_; rest != 0 && *link != newest_;) {
    slab_type* const in = *link;
    auto& side = in->consumer.write();
    if (side.left == 0) --rest;
    // The tail has been seen beyond this slab, in discover(). See refcount_buckets.hpp.
    if (side.left != 0 || !buckets_.idle(in)) {
      link = &side.newer;
      continue;
    }
    *link = side.newer;
    --emptied_;
    in->clear();
    recycle(in);
  }
}

template <class T, class P, slab_shape Shape, class Buckets>
slab_queue<T, P, Shape, Buckets>::~slab_queue() {
  while (pop()) {
  }
  discover();
  for (slab_type* in = oldest_; in != nullptr;) {
    slab_type* const newer = in->consumer.read().newer;
    delete in;
    in = newer;
  }
  delete spare_.load(std::memory_order_relaxed);  // relaxed: nobody else is there
}

}  // namespace fencepost
