// Atomic accesses as compilers request them, to objects of any size. A value of more than eight
// bytes is represented by the engine's number for it.
#pragma once

#include <atomic>
#include <cstddef>

#include "fencepost/verify/engine.hpp"
#include "session.hpp"

namespace fencepost::programs {

// Returns the memory order that compilers give this number; higher bits are hints.
std::memory_order order_of(int number);

verify::value load(session&, const volatile void*, std::size_t size, int order,
                   const source_location&);
void store(session&, volatile void*, std::size_t size, verify::value, int order,
           const source_location&);

struct modification {
  verify::operation op;
  verify::value operand;
  std::size_t size;                                                  // of the result, in bytes
  verify::value (*compute)(verify::value, verify::value) = nullptr;  // for operation::custom
};
verify::value modify(session&, volatile void*, std::size_t size, const modification&, int order,
                     const source_location&);

verify::exchanged exchange_if(session&, volatile void*, std::size_t size, verify::value expected,
                              verify::value desired, bool weak, int success, int failure,
                              const source_location&);
// A compare-exchange as clang requests it, which has announced before whether it is a weak one.
// Returns the old value.
verify::value exchange_by_value(session&, volatile void*, std::size_t size, verify::value expected,
                                verify::value desired, int success, int failure,
                                const source_location&);

}  // namespace fencepost::programs
