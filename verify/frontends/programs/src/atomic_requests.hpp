// Atomic accesses as compilers ask for them: of an object of some size, by its value or by what the
// engine has numbered it.
#pragma once

#include <atomic>
#include <cstddef>

#include "fencepost/verify/engine.hpp"
#include "session.hpp"

namespace fencepost::programs {

// As compilers number them; other bits are hints.
std::memory_order order_of(int number);

verify::value load(session&, const volatile void*, std::size_t size, int order,
                   const source_location&);
void store(session&, volatile void*, std::size_t size, verify::value, int order,
           const source_location&);

struct modification {
  verify::operation op;
  verify::value operand;
  std::size_t size;                                                  // of what is computed
  verify::value (*compute)(verify::value, verify::value) = nullptr;  // operation::custom
};
verify::value modify(session&, volatile void*, std::size_t size, const modification&, int order,
                     const source_location&);

verify::exchanged exchange_if(session&, volatile void*, std::size_t size, verify::value expected,
                              verify::value desired, bool weak, int success, int failure,
                              const source_location&);
// As clang asks for it, of what it has said before: returns the old value.
verify::value exchange_by_value(session&, volatile void*, std::size_t size, verify::value expected,
                                verify::value desired, int success, int failure,
                                const source_location&);

}  // namespace fencepost::programs
