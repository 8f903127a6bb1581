// A policy whose wake reads its word, as other systems' may and std::atomic's notifications do.
//
// To P::futex_wake() the word is only an address, and may have been destroyed. A component that
// promises more, never to use the address of a destroyed word, is held to it by this policy.
#pragma once

#include <atomic>

#include "fencepost/source_location.hpp"

namespace fencepost::models {

template <class P>
struct reading_wakes : P {
  template <class Word>
  static void futex_wake(Word& word, unsigned n,
                         [[maybe_unused]] source_location where = source_location::current()) {
    // At its own place in the source: this order is not one that the component requests.
    static_cast<void>(word.load(std::memory_order_relaxed));
    if constexpr (requires { P::futex_wake(word, n, where); })
      P::futex_wake(word, n, where);
    else
      P::futex_wake(word, n);
  }
};

}  // namespace fencepost::models
