// Memory orders as compilers hand them to the functions of atomics.
#pragma once

#include <atomic>

namespace fencepost::programs {

// As compilers number them; other bits are hints.
inline std::memory_order order_of(int number) {
  switch (number & 0xffff) {
    case 0: return std::memory_order_relaxed;
    case 1: return std::memory_order_consume;
    case 2: return std::memory_order_acquire;
    case 3: return std::memory_order_release;
    case 4: return std::memory_order_acq_rel;
    default: return std::memory_order_seq_cst;
  }
}

}  // namespace fencepost::programs
