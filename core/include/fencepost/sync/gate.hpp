// Who is inside something that is about to be closed: a count of those inside, and a shut gate.
//
//     caller                                  closer
//       try_enter()   inside + 1; shut?         close()   shut; wait until nobody is inside
//       ... uses what the gate guards
//       leave()       inside - 1
//
// After close() has returned nobody is inside and nobody will be, so what the gate guards may stop,
// or be destroyed, the gate included.
//
// Who may call: try_enter() and leave(), any thread, in turn; close(), any thread that is not
// inside, more than one as well.
//
// For any threads X that leaves and Y that closes: what X did before leave() is visible to Y when
// close() has returned.
//
// Claims (gate/…; gate_faults.hpp has what is found without each order):
//   when close() has returned nobody is inside, and what      nobody_inside_after_close
//   those did who were is visible
//   the gate may be destroyed then                            destroyed_when_closed
// Progress: entering and leaving are wait-free; close() waits for those inside.
// Costs: one locked instruction each. 4 bytes.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/sync/patience.hpp"

namespace fencepost {

template <class P = std_atomics>
class gate {
 public:
  gate() = default;
  gate(const gate&) = delete;
  gate& operator=(const gate&) = delete;

  // False: it is shut, and this thread is not inside.
  [[nodiscard]] bool try_enter() noexcept {
    // Relaxed: it comes before or after the one in close(), which is all that is asked here.
    const bool is_shut = (state_.fetch_add(one_inside, std::memory_order_relaxed) & shut) != 0;
    if (is_shut) leave();
    return !is_shut;
  }

  // Release: pairs with the acquire in close().
  void leave() noexcept { state_.fetch_sub(one_inside, std::memory_order_release); }

  void close() noexcept {
    // Relaxed: see try_enter().
    state_.fetch_or(shut, std::memory_order_relaxed);
    // Acquire: pairs with the release in leave(), by way of those that left later.
    for (patience turn; state_.load(std::memory_order_acquire) != shut; turn()) P::spin_pause();
  }

 private:
  static constexpr std::uint32_t shut = 1, one_inside = 2;
  // Bit 0: shut. Above: how many are inside.
  typename P::template atomic<std::uint32_t> state_{0};
};

}  // namespace fencepost
