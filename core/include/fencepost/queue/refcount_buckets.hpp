// Counts the threads that may still access an object that is about to be freed; the counts lie
// beside the objects, which share them.
//
//   an object's address --hash--> bucket        count of the threads that hold an object
//                                 +---+---+---+-----+---+      of this bucket
//                                 | 0 | 2 | 0 | ... | 1 |
//                                 +---+---+---+-----+---+
//
// A count inside the object is of no use: it is freed with the object. A count for each object
// needs a table. Here there is a fixed number of counts, which objects share. Two objects in one
// bucket make an object look held that is not, which delays its release and does no other harm.
//
// Holding an object by itself protects nothing, for the address may be stale. It takes a location
// with the address of the object that is in use, and these steps:
//
//   a thread that reads             a thread that replaces A       the thread that frees
//     1. read A from the location     1. to 4. as on the left        1. read another address there
//     2. hold(A)                      5. replace A in the location   2. idle(A)? If not, try later
//     3. read it again: not A?        6. drop                        3. free A
//        Then drop, and restart
//     4. use A
//     5. drop
//
// Threads: hold and drop, any thread; idle, the one thread that frees.
//
// Claims, checked with slab_queue's tail as the location:
//   what a thread holds and has found in the location again is not freed
//                                                      slab_queue/no_slab_is_freed_in_use
//   what a thread did before drop() is visible after idle() returned true
//                                                      slab_queue/no_slab_is_freed_in_use
//   collisions are harmless                            every scenario has one bucket, but
//   and so is it to have none                          slab_queue/no_slab_is_freed_by_buckets
//
// Why nothing here is sequentially consistent. The count of a bucket changes by read-modify-writes
// only, so these have an order. The freeing thread has observed that A was replaced, so the hold()
// of the replacing thread comes before the value that idle() reads; if that value is 0, so does its
// drop(). Now consider another thread that reads. Either its hold() comes before what idle() reads:
// then its drop() does too, and idle() acquires all that this thread did. Or its hold() comes
// later: then it acquires the drop() of the replacing thread, and with it the replacement, which
// its second read observes. Without the second read, no order helps.
//
// Progress: wait-free. Costs: hold and drop, one locked instruction each; idle, a load. A 64-byte
// line for each 16 counts.
// Source: Perfetto's LockFreeTaskRunner (design document), which lacks the second read and makes
// every access sequentially consistent; see docs/findings/perfetto.md.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

// SplitMix64's last step: each bit of the result depends on each bit of the address. The top byte,
// where some systems keep a tag, is ignored.
constexpr std::uint64_t hash_of_address(std::uint64_t address) noexcept {
  std::uint64_t h = address & 0x00ff'ffff'ffff'ffff;
  h = (h ^ h >> 30) * 0xbf58'476d'1ce4'e5b9;
  h = (h ^ h >> 27) * 0x94d0'49bb'1331'11eb;
  return h ^ h >> 31;
}

template <class P = default_atomics, std::size_t Count = 32,
          std::uint64_t (*Hash)(std::uint64_t) noexcept = hash_of_address>
class refcount_buckets {
  static_assert(std::has_single_bit(Count), "the number of buckets is a power of two");

 public:
  using count = typename P::template atomic<std::uint32_t>;

  static constexpr std::size_t bucket_of(const void* object) noexcept {
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object));
    return static_cast<std::size_t>(Hash(address) % Count);
  }

  // Any thread: the object is not freed until drop(), if the location still has its address after
  // this call.
  [[nodiscard]] count& hold(const void* object) noexcept {
    count& c = counts_[bucket_of(object)];
    // [hold] acquire, with [drop]: that of the thread that replaced the address, if there is one,
    // through the release sequence; this thread then observes the replacement in the location.
    c.fetch_add(1, std::memory_order_acquire);
    return c;
  }

  // Any thread: ends a hold().
  // [drop] release, with [idle], [hold]: they observe what was done to the object, and to the
  // location.
  static void drop(count& held) noexcept { held.fetch_sub(1, std::memory_order_release); }

  // The thread that frees, once it has read another address from the location. True if no thread
  // uses the object, and none will.
  [[nodiscard]] bool idle(const void* object) const noexcept {
    // [idle] acquire, with [drop]: the drops of all threads that held the object.
    return counts_[bucket_of(object)].load(std::memory_order_acquire) == 0;
  }

 private:
  alignas(64) count counts_[Count]{};
};

}  // namespace fencepost
