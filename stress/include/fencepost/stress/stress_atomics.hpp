// The policy of a stress run: default_atomics, for a number of threads that may exceed that of the
// processors.
#pragma once

#include <thread>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost::stress {

// Accesses, fences and everything else are default_atomics' own. Only waiting differs: a thread
// that has waited for a while yields its processor, since the thread that it waits for may have
// none.
struct stress_atomics : default_atomics {
  static void spin_pause() noexcept {
    static thread_local constinit unsigned turns = 0;
    if (++turns % 64 == 0) {
      std::this_thread::yield();
    } else {
      default_atomics::spin_pause();
    }
  }
};

static_assert(atomics_policy<stress_atomics>);

}  // namespace fencepost::stress
