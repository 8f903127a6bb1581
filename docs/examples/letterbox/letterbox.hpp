// A letterbox with room for one letter. One thread puts letters in, another takes them out; neither
// ever waits.
#pragma once

#include <atomic>

#include "fencepost/atomics/default_atomics.hpp"

template <class P = fencepost::default_atomics>
class letterbox {
 public:
  // Returns false if the letter before is still there.
  bool put(int letter) {
    // [put.empty] acquire, with [take.empty]: the letter before has been read.
    if (is_full_.load(std::memory_order_acquire)) return false;
    slot_.set(letter);
    // [put.full] release, with [take.full]: the letter is whole when it is found.
    is_full_.store(true, std::memory_order_release);
    return true;
  }

  // Returns false if there is none.
  bool take(int& letter) {
    // [take.full] acquire, with [put.full]: the letter is whole.
    if (!is_full_.load(std::memory_order_acquire)) return false;
    letter = slot_.get();
    // [take.empty] release, with [put.empty]: it has been read.
    is_full_.store(false, std::memory_order_release);
    return true;
  }

 private:
  typename P::template atomic<bool> is_full_{false};
  typename P::template plain<int> slot_{0};
};
