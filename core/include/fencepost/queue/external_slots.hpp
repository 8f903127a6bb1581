// A fixed table of slots, where threads that are not workers submit records to the workers.
//
//     submitter                                    worker
//       reserve   count + 1, or full                 any()?    one relaxed load: count > 0
//       publish   a free slot := record              take      a slot that is not empty := null
//                                                    free      count - 1
//
// A record belongs to the submitter, usually on its stack, and is not accessed by the table: only
// its address is handed over. Put a completion into it to learn when it is done. The count is
// incremented before a slot is taken and decremented after it is free, so a thread with a
// reservation always finds a slot, and a table is full if and only if all slots are reserved. (A
// submitter may still be refused for a moment after a slot was freed.)
//
// Threads: any thread, every function. Construction and destruction happen before and after all;
// the table is empty at its destruction, or its records are forgotten.
//
// Claims (external_slots/…; external_slots/faults.hpp has what is found without each order):
//   each record is taken exactly once                     each_record_once, two_workers
//   a worker observes the complete record, and its        round_trip
//   submitter the complete result; the record may be destroyed then
//   a full table refuses and loses nothing                full_table_loses_nothing
//   a thread with a reservation finds a slot              reserved_means_room
//   a sleeping worker is woken by a submission            sleeping_worker_is_woken
//   linearizable, if a submission is two steps, reserve   linearizable, linearizable_when_full
//   and publish, and a take two, take and free: a full
//   table may have nothing to take                        (full_and_nothing_to_take)
//
// Ordering: for any threads X and Y: everything sequenced before X's try_submit() happens before
// the return of Y's take() of that record. any() orders nothing.
// Progress: try_submit is lock-free; it scans again only while others take and submit. take() is
// wait-free; so is any(). If workers always begin their scans at the same slot, a record in a later
// one may be starved while new ones arrive: begin at another slot each time.
// Costs: try_submit, two locked instructions; any(), one relaxed load; take(), a relaxed load per
// slot, and two locked instructions for a record. 8 bytes per slot. No allocation.
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

  // Hands the record over. Returns false when all slots are in use, and then nothing has changed:
  // retry once a worker has taken one, or run it otherwise. Everything before this call is visible
  // to the worker that takes it. The record must live until its worker has completed it.
  // Sleeping workers need a notify afterwards.
  [[nodiscard]] bool try_submit(Record& record) noexcept;

  // Whether there is something to take, or soon will be.
  bool any() const noexcept { return reserved() != 0; }
  // The number of slots in use, or about to be.
  // [any] relaxed, with [reserve]: a hint. What orders the other accesses must order it as well, as
  // event_count's fences do.
  std::uint32_t reserved() const noexcept { return count_.load(std::memory_order_relaxed); }

  // Takes a record, which is the caller's from then on; returns null if none was found. Looks at
  // each slot once, the first being `begin` (modulo their number).
  [[nodiscard]] Record* take(std::uint32_t begin = 0) noexcept;

  static constexpr std::uint32_t capacity() noexcept { return Slots; }

 private:
  static constexpr std::size_t cache_line = 64;
  using slot = typename P::template atomic<Record*>;

  bool reserve(std::uint32_t& place) noexcept;

  alignas(cache_line) typename P::template atomic<std::uint32_t> count_{0};
  alignas(cache_line) std::array<slot, Slots> slots_{};
};

// Increments the count if there is room; `place` is its value before.
template <class Record, class P, std::uint32_t Slots>
inline bool external_slots<Record, P, Slots>::reserve(std::uint32_t& place) noexcept {
  // [reserve.look] relaxed, with [take.free]: a guess.
  place = count_.load(std::memory_order_relaxed);
  while (place < Slots) {
    // [reserve] relaxed, relaxed on failure, with [any], [take.free]: the count publishes nothing
    // but itself. No acquire is needed to find a slot that a worker freed before it decremented the
    // count: the exchange in try_submit() reads the latest value.
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
    // From the reserved position on, so that concurrent submitters try different slots.
    for (std::uint32_t i = 0; i < Slots; ++i) {
      slot& s = slots_[(place + i) % Slots];
      Record* free = nullptr;
      // [publish] release, relaxed on failure, with [take.look], [take]: publishes the record to
      // the worker. Relaxed on failure: another slot is tried. kept strong: after a spurious
      // failure the submitter would try the slots that are taken.
      if (s.compare_exchange_strong(free, &record, std::memory_order_release,
                                    std::memory_order_relaxed)) {
        return true;
      }
    }
    P::spin_pause();  // there is a free slot, and it moved during the scan
  }
}

template <class Record, class P, std::uint32_t Slots>
Record* external_slots<Record, P, Slots>::take(std::uint32_t begin) noexcept {
  begin %= Slots;
  for (std::uint32_t i = 0; i < Slots; ++i) {
    slot& s = slots_[(begin + i) % Slots];
    // [take.look] relaxed, with [publish]: a load that leaves the line shared; the exchange below
    // verifies it.
    if (s.load(std::memory_order_relaxed) == nullptr) continue;
    // [take] acquire, with [publish]: the record is visible.
    if (Record* record = s.exchange(nullptr, std::memory_order_acquire)) {
      // [take.free] relaxed, with [reserve.look], [reserve]: see reserve().
      count_.fetch_sub(1, std::memory_order_relaxed);
      return record;
    }
  }
  return nullptr;
}

}  // namespace fencepost
