// The slots of a Chase-Lev deque: a ring, a power of two of them, for indices that only increase.
//
//     index      ...  5   6   7   8   9  10 ...        capacity 4: index & 3 is the slot
//     slot            1   2   3   0   1   2
//
// A buffer owns the one that it replaced, so that a thief which still reads the old one does not
// read freed memory: buffers live as long as their deque. Each is twice as large as the one before:
// together they take less than twice the memory of the last.
//
// Threads: the owner of the deque; a thief calls slots(), once it has acquired the buffer. Slots
// are atomic although each index is written once: a slow thief may read a slot while the owner
// writes the item of a later round to it, and finds out only afterwards that it must not use what
// it read (chase_lev/slot_comes_round; with plain slots, published/phanes_plain_slots).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

// T: a type that std::atomic takes, default constructible.
template <class T, class P = default_atomics>
class chase_lev_buffer {
 public:
  // The location of the slots: all that the owner and the thieves need to access them.
  struct ring {  // unwatched: a value, which the buffer has as a plain.
    typename P::template atomic<T>* first = nullptr;
    std::int64_t mask = -1;

    auto& operator[](std::int64_t index) const noexcept { return first[index & mask]; }
    std::int64_t capacity() const noexcept { return mask + 1; }
  };

  // `capacity` is a power of two. Throws std::bad_alloc.
  explicit chase_lev_buffer(std::int64_t capacity)
      : slots_{std::make_unique<typename P::template atomic<T>[]>(
            static_cast<std::size_t>(capacity))},
        ring_{ring{slots_.get(), capacity - 1}} {}

  // Owner. Twice as large as `before`: copies its items [begin, end), and takes ownership of it.
  // Throws std::bad_alloc, and then `before` is unchanged.
  chase_lev_buffer(std::unique_ptr<chase_lev_buffer>&& before, std::int64_t begin, std::int64_t end)
      : chase_lev_buffer{before->slots().capacity() * 2} {
    const ring from = before->slots(), to = slots();
    for (std::int64_t i = begin; i < end; ++i) {
      // [copy] relaxed, with [chase_lev.hpp/steal.item]: published with the buffer.
      // [copy.from] relaxed, alone: the owner's own stores.
      to[i].store(from[i].load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    before_ = std::move(before);
  }

  chase_lev_buffer(const chase_lev_buffer&) = delete;
  chase_lev_buffer& operator=(const chase_lev_buffer&) = delete;

  ring slots() const noexcept { return ring_.get(); }

 private:
  std::unique_ptr<chase_lev_buffer> before_;                       // unwatched: the owner's.
  const std::unique_ptr<typename P::template atomic<T>[]> slots_;  // unwatched: never changed.
  // Handed to thieves with the pointer to the buffer: a thief that does not acquire it has a data
  // race.
  const typename P::template plain<ring> ring_;
};

}  // namespace fencepost
