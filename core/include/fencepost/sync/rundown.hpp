// Rundown protection: close() blocks new entrants, then waits until those inside have left.
//
//     caller                                  closer
//       try_enter()   inside + 1; shut?         close()   shut; wait until nobody is inside
//       ... uses what the rundown guards
//       leave()       inside - 1
//
// After close() has returned nobody is inside and nobody will be, so what the rundown guards may
// stop, or be destroyed, the rundown included.
//
// Who may call: try_enter() and leave(), any thread, in turn; close(), any thread that is not
// inside, more than one as well.
//
// For any threads X that leaves and Y that closes: what X did before leave() is visible to Y when
// close() has returned.
//
// Claims (rundown/…; rundown/faults.hpp has what is found without each order):
//   when close() has returned nobody is inside, and what      nobody_inside_after_close
//   those did who were is visible
//   the rundown may be destroyed then                            destroyed_when_closed
// Progress: entering and leaving are wait-free; close() waits for those inside.
// Costs: one locked instruction each. 4 bytes.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {

template <class P = default_atomics>
class rundown {
 public:
  rundown() = default;
  rundown(const rundown&) = delete;
  rundown& operator=(const rundown&) = delete;

  // False: it is shut, and this thread is not inside.
  [[nodiscard]] bool try_enter() noexcept {
    // [enter] relaxed, with [shut]: read-modify-writes of one word, so one comes before the other.
    const bool is_shut = (state_.fetch_add(one_inside, std::memory_order_relaxed) & shut) != 0;
    if (is_shut) leave();
    return !is_shut;
  }

  // [leave] release, with [close]: who closes sees what was done inside.
  void leave() noexcept { state_.fetch_sub(one_inside, std::memory_order_release); }

  void close() noexcept {
    // [shut] relaxed, with [enter]: see there.
    state_.fetch_or(shut, std::memory_order_relaxed);
    // [close] acquire, with [leave]: that of each, by way of those that left later.
    for (typename P::back_off turn; state_.load(std::memory_order_acquire) != shut; turn())
      P::spin_pause();
  }

 private:
  static constexpr std::uint32_t shut = 1, one_inside = 2;
  // Bit 0: shut. Above: how many are inside.
  typename P::template atomic<std::uint32_t> state_{0};
};

}  // namespace fencepost
