// The members of the checker's policy; each has a header of its own beside this one.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/checked/access.hpp"

namespace fencepost {

// The atomics policy under the checker: every operation is an event of the explorer. Each class has
// the contract of the class of the same name in the C++ standard library, if there is one.
struct checked_atomics {
  template <class T>
  class atomic;
  template <class T>
  class plain;
  class halves;
  class thread;
  class mutex;
  class condition_variable;

  static void fence(std::memory_order o, source_location where = source_location::current()) {
    if (o == std::memory_order_relaxed) return;
    const verify::order done = verify::detail::ordered(verify::access::fence, o, where);
    if (done != verify::order::relaxed) verify::detail::here().fence(done, where);
  }
  // Has no state, unlike those of other policies: a loop cannot observe how long it pauses.
  class back_off {
   public:
    void operator()() noexcept {}
  };
  using growing_back_off = back_off;
  static void spin_pause() { verify::detail::here().spin_pause(); }
  static void yield() noexcept {}

  using time_point = std::chrono::steady_clock::time_point;
  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected,
                         time_point until = time_point::max(),
                         source_location where = source_location::current());
  static void futex_wake(const atomic<std::uint32_t>& word, unsigned count,
                         source_location where = source_location::current());
};

}  // namespace fencepost
