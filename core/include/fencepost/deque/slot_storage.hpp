// The storage of a deque's slots: all of them at once on the heap, or in address space that is
// given memory as they are first needed.
//
//   first()            last_made()                          first() + capacity()
//     |   made            |        not yet, or no memory yet         |
//     +-------------------+------------------------------------------+
//
// A storage never moves a slot. Threads: the owner of the deque; slots that are made later become
// visible to other threads with what the owner publishes in them.
//
// Claims (no concurrency: core/tests/slot_storage_test.cpp): what is made stays where it is; memory
// follows what was made; more than the system has is refused, and nothing has changed.
// Costs: heap_slots writes to every slot at the beginning; reserved_slots, one system call for each
// 16,384 slots of 64 bytes.
// Source: Lace's reserved and lazily committed deques (LACE-76, LACE-77).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "fencepost/memory/scratch_arena.hpp"

namespace fencepost {

template <class Slot>
class heap_slots {  // All slots at once, on the heap.
 public:
  // Throws std::bad_alloc.
  explicit heap_slots(std::uint32_t capacity)
      : slots_{std::make_unique<Slot[]>(capacity)}, capacity_{capacity} {}

  Slot* first() const noexcept { return slots_.get(); }
  Slot* last_made() const noexcept { return slots_.get() + capacity_; }
  std::uint32_t capacity() const noexcept { return capacity_; }
  // Makes more slots; false if there is no more room.
  bool extend() noexcept { return false; }

 private:
  std::unique_ptr<Slot[]> slots_;
  std::uint32_t capacity_;
};

template <class Slot>
class reserved_slots {  // Slots that are made when the head first reaches them.
 public:
  // Throws scratch_error if the system refuses the address space.
  explicit reserved_slots(std::uint32_t capacity)
      : memory_{{.reserve = std::size_t{capacity} * sizeof(Slot), .band = 0, .name = "deque"}},
        first_{static_cast<Slot*>(memory_.try_allocate(0, alignof(Slot)))},
        last_made_{first_},
        capacity_{capacity} {}

  Slot* first() const noexcept { return first_; }
  Slot* last_made() const noexcept { return last_made_; }
  std::uint32_t capacity() const noexcept { return capacity_; }
  // Makes more slots; false if there is no more room, or the system has no more memory for them.
  bool extend() noexcept {
    const std::size_t made = static_cast<std::size_t>(last_made_ - first_);
    const std::size_t more = std::min<std::size_t>(at_once, capacity_ - made);
    if (more == 0 || memory_.try_allocate(more * sizeof(Slot), alignof(Slot)) == nullptr) {
      return false;
    }
    std::uninitialized_default_construct_n(last_made_, more);
    last_made_ += more;
    return true;
  }

 private:
  static_assert(std::is_trivially_destructible_v<Slot>, "slots are given back with their memory");
  static_assert(sizeof(Slot) % scratch_arena::alignment == 0, "slots follow one another");
  static constexpr std::size_t at_once = (std::size_t{1} << 20) / sizeof(Slot);  // 1 MiB

  scratch_arena memory_;
  Slot* first_;
  Slot* last_made_;
  std::uint32_t capacity_;
};

}  // namespace fencepost
