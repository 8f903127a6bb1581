// How programs wait for what a load reads: in a loop, and as if they read once, and the right
// thing.
#pragma once

#include "programs.hpp"

namespace fencepost::verify::testing {

struct by_spinning {
  template <class Wanted>
  static int wait(const checked::atomic<int>& x, std::memory_order order, Wanted wanted) {
    for (;;) {
      const int seen = x.load(order);
      if (wanted(seen)) return seen;
      checked::spin_pause();
    }
  }
};

// An execution in which it reads something else does not count.
struct by_giving_up {
  template <class Wanted>
  static int wait(const checked::atomic<int>& x, std::memory_order order, Wanted wanted) {
    const int seen = x.load(order);
    if (!wanted(seen)) engine::current()->give_up();
    return seen;
  }
};

}  // namespace fencepost::verify::testing
