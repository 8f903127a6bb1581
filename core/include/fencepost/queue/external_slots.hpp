// Where threads that are not workers leave what workers shall run: a fixed table of slots.
//
//     submitter                                    worker
//       reserve   count + 1, or full                 any()?    one relaxed load: count > 0
//       publish   a free slot := record              take      a slot that is not empty := null
//                                                    free      count - 1
//
// A record is the submitter's, on its stack as a rule, and is not touched by the table: only its
// address is handed over. Put a completion into it to hear when it is done. The count is raised
// before a slot is taken and lowered after it is free, so that whoever has reserved finds a slot,
// and a table is full when all slots are reserved, and only then. (Of that moment a submitter may
// hear a little late.)
//
// Who may call: any thread, everything. Construction and destruction happen before and after all;
// the table is empty then, or its records are forgotten.
//
// Claims (external_slots/…; external_slots/faults.hpp has what is found without each order):
//   each record is taken exactly once                     each_record_once, two_workers
//   a worker sees the whole record, and its submitter     round_trip
//   the whole result; the record may die then
//   a full table refuses and loses nothing                full_table_loses_nothing
//   whoever has reserved finds a slot                     reserved_means_room
//   a worker that sleeps is woken by a submission         sleeping_worker_is_woken
//   linearizable, where to submit is to reserve and then  linearizable, linearizable_when_full
//   to show, and to take is to take and then to free:
//   a full table may have nothing to take                 (full_and_nothing_to_take)
//
// Ordering: for any threads X and Y, what X did before try_submit() is visible to Y when take() has
// given it the record. any() orders nothing.
// Progress: try_submit is lock-free; it scans again only while others take and submit. take() is
// wait-free; any() as well. A worker that begins its scan always at the same slot may leave a
// record in a later one behind others for as long as new ones come: begin at another each time.
// Costs: try_submit, two locked instructions; any(), one relaxed load; take(), a relaxed load a
// slot, and two locked instructions for what it takes. 8 bytes a slot. No allocation.
// Source: the external task slots of Lace 1.6; submitters there all begin their scan at slot 0.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class Record, class P = default_atomics, std::uint32_t Slots = 64>
class external_slots {
  static_assert(Slots > 0 && Slots <= 1u << 31, "a table of submissions has 1 to 2^31 slots");

 public:
  external_slots() = default;
  external_slots(const external_slots&) = delete;
  external_slots& operator=(const external_slots&) = delete;

  // Hands the record over; false, and nothing has changed, when all slots are in use: try again
  // when a worker has taken one, or run it otherwise. What this thread did before is visible to the
  // worker that takes it. The record must live until its worker has completed it.
  // Workers that sleep want a notify afterwards.
  [[nodiscard]] bool try_submit(Record& record) noexcept;

  // Whether there is something to take, or soon will be.
  // [any] relaxed, with [reserve]: a hint. Order it by what orders the rest, as event_count's
  // fences do.
  bool any() const noexcept { return count_.load(std::memory_order_relaxed) != 0; }

  // A record, the caller's from now on; null if none was found. Looks at each slot once, the first
  // being `begin` (modulo their number).
  [[nodiscard]] Record* take(std::uint32_t begin = 0) noexcept;

  static constexpr std::uint32_t capacity() noexcept { return Slots; }

 private:
  static constexpr std::size_t cache_line = 64;
  using slot = typename P::template atomic<Record*>;

  bool reserve(std::uint32_t& place) noexcept;

  alignas(cache_line) typename P::template atomic<std::uint32_t> count_{0};
  alignas(cache_line) std::array<slot, Slots> slots_{};
};

// Raises the count if there is room; `place` is what it was.
template <class Record, class P, std::uint32_t Slots>
inline bool external_slots<Record, P, Slots>::reserve(std::uint32_t& place) noexcept {
  // [reserve.look] relaxed, with [take.free]: a guess.
  place = count_.load(std::memory_order_relaxed);
  while (place < Slots) {
    // [reserve] relaxed, relaxed on failure, with [any], [take.free]: the count publishes nothing
    // but itself. Acquire is not needed to find the slot that a worker has freed before it lowered
    // the count: the exchange in try_submit() reads the latest.
    if (count_.compare_exchange_weak(place, place + 1, std::memory_order_relaxed,
                                     std::memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

template <class Record, class P, std::uint32_t Slots>
bool external_slots<Record, P, Slots>::try_submit(Record& record) noexcept {
  std::uint32_t place;
  if (!reserve(place)) return false;
  for (;;) {
    // From the reserved place on, so that submitters at the same time try different slots.
    for (std::uint32_t i = 0; i < Slots; ++i) {
      slot& s = slots_[(place + i) % Slots];
      Record* free = nullptr;
      // [publish] release, relaxed on failure, with [take.look], [take]: the worker then sees the
      // record. Relaxed on failure: another slot is tried. kept strong: who fails for nothing tries
      // the slots that are taken.
      if (s.compare_exchange_strong(free, &record, std::memory_order_release,
                                    std::memory_order_relaxed)) {
        return true;
      }
    }
    P::spin_pause();  // there is a free slot, and it moved while we looked
  }
}

template <class Record, class P, std::uint32_t Slots>
Record* external_slots<Record, P, Slots>::take(std::uint32_t begin) noexcept {
  begin %= Slots;
  for (std::uint32_t i = 0; i < Slots; ++i) {
    slot& s = slots_[(begin + i) % Slots];
    // [take.look] relaxed, with [publish]: a look that costs the line's other readers nothing; the
    // exchange says what is true.
    if (s.load(std::memory_order_relaxed) == nullptr) continue;
    // [take] acquire, with [publish]: the record is there.
    if (Record* record = s.exchange(nullptr, std::memory_order_acquire)) {
      // [take.free] relaxed, with [reserve.look], [reserve]: see reserve().
      count_.fetch_sub(1, std::memory_order_relaxed);
      return record;
    }
  }
  return nullptr;
}

}  // namespace fencepost
