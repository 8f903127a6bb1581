// Counts the threads that may still access an object that is about to be freed; the counts lie
// beside the objects, which share them.
//
//   an object's address --hash--> bucket        count of the threads that hold an object
//                                 +---+---+---+-----+---+      of this bucket
//                                 | 0 | 2 | 0 | ... | 1 |
//                                 +---+---+---+-----+---+
//
// A count inside the object is of no use: it is gone with the object. A count for each object needs
// a table. This has a fixed number of counts; objects share them. Two objects in one bucket make an
// object look held that is not, which delays it being freed and does no other harm.
//
// Holding an object by itself protects nothing, for the address may be an old one. It takes a
// location that says which object is in use, and three rules:
//
//   a thread that reads             the one that replaces A        the thread that frees
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
// Why nothing here is sequentially consistent. The counts of a bucket change by read-modify-writes,
// so they have an order. The freeing thread has seen A replaced, so the hold() of the thread that
// did that comes before what idle() reads; if that is 0, so does its drop(). Now take another
// thread that reads. Its hold() comes before what idle() reads: then its drop() does too, and
// idle() acquires all that it did. Or its hold() comes later: then it acquires that drop(), and
// with it the replacement, and observes it at its second read. Without the second read, no order
// helps.
//
// Progress: wait-free. Costs: hold and drop, one locked instruction each; idle, a load. A 64-byte
// line for each 16 counts.
// Source: Perfetto's LockFreeTaskRunner (design document), which lacks the second read and has
// every order sequentially consistent; see docs/findings/perfetto.md.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

// SplitMix64's last step: each bit of the result depends on each bit of the address. The top byte,
// where some systems keep a tag, does not count.
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

  // Any thread: the object is not freed until drop(), if the location still has its address now.
  [[nodiscard]] count& hold(const void* object) noexcept {
    count& c = counts_[bucket_of(object)];
    // [hold] acquire, with [drop]: that of the thread that replaced the address, if it has been
    // replaced, through the release sequence; the location then has another.
    c.fetch_add(1, std::memory_order_acquire);
    return c;
  }

  // Any thread: the end of a hold().
  // [drop] release, with [idle], [hold]: they observe what was done to the object, and to the
  // location.
  static void drop(count& held) noexcept { held.fetch_sub(1, std::memory_order_release); }

  // The thread that frees, once it has read another address from the location: nobody uses the
  // object, nor ever will.
  [[nodiscard]] bool idle(const void* object) const noexcept {
    // [idle] acquire, with [drop]: those of all threads that held it.
    return counts_[bucket_of(object)].load(std::memory_order_acquire) == 0;
  }

 private:
  alignas(64) count counts_[Count]{};
};

}  // namespace fencepost
