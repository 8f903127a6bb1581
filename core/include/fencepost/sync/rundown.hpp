// Rundown protection: close() blocks new entrants, then waits until those inside have left.
//
//     caller                                  closer
//       try_enter()   inside + 1; shut?         close()   shut; wait until nobody is inside
//       ... uses what the rundown guards
//       leave()       inside - 1
//
// Once close() has returned, no thread is inside and none will be, so the protected object may be
// stopped or destroyed. The rundown itself may be destroyed as soon as every close() has returned,
// and every try_enter() has returned or will not be called any more; leave() need not have
// returned. close() waits neither for a thread that is turned away nor for another close(): in a
// rundown that was destroyed earlier, these would access freed memory.
//
// Threads: any thread calls try_enter() and, once inside, leave(), in turn; any thread that is not
// inside calls close(), several threads included.
//
// For any threads X that leaves and Y that closes: everything sequenced before X's leave() happens
// before the return of Y's close().
//
// Claims (rundown/…; rundown/faults.hpp has what is found without each order):
//   once close() returns no thread is inside, and everything   nobody_inside_after_close
//   done inside happens before the return
//   the rundown may be destroyed then, though leave() has      destroyed_when_closed
//   not returned, if no other thread calls it any more
// Progress: entering and leaving are wait-free; close() waits for the threads inside.
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

  // Returns false if the rundown is closed: then this thread is not inside.
  [[nodiscard]] bool try_enter() noexcept {
    // [enter] relaxed, with [shut]: the atomicity of the read-modify-writes orders enter and shut.
    const bool is_shut = (state_.fetch_add(one_inside, std::memory_order_relaxed) & shut) != 0;
    if (is_shut) leave();
    return !is_shut;
  }

  // [leave] release, with [close]: the closer observes everything done inside.
  void leave() noexcept { state_.fetch_sub(one_inside, std::memory_order_release); }

  void close() noexcept {
    // [shut] relaxed, with [enter]: see there.
    state_.fetch_or(shut, std::memory_order_relaxed);
    // [close] acquire, with [leave]: that of every thread: later leaves continue its release
    // sequence.
    for (typename P::back_off turn; state_.load(std::memory_order_acquire) != shut; turn())
      P::spin_pause();
  }

 private:
  static constexpr std::uint32_t shut = 1, one_inside = 2;
  // Bit 0: shut. Above: the number of threads inside.
  typename P::template atomic<std::uint32_t> state_{0};
};

}  // namespace fencepost
