// How programs wait for a value: in a loop, or with one load that must read the right one.
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

// An execution in which the load reads something else does not count.
struct by_giving_up {
  template <class Wanted>
  static int wait(const checked::atomic<int>& x, std::memory_order order, Wanted wanted) {
    const int seen = x.load(order);
    if (!wanted(seen)) engine::current()->give_up();
    return seen;
  }
};

}  // namespace fencepost::verify::testing
