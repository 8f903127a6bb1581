// A component with nothing unresolved: each order is needed, or kept with a reason.
#pragma once

#include <atomic>

namespace fencepost::certified {

template <class P>
class letterbox {
 public:
  void put(int letter) {
    letter_.set(letter);
    // [put] release, with [take]: the letter is whole when it is taken.
    full_.store(true, std::memory_order_release);
  }
  bool take(int& letter) {
    // [take] acquire, with [put].
    if (!full_.load(std::memory_order_acquire)) return false;
    letter = letter_.get();
    return true;
  }
  // [looks_full] acquire, alone. kept acquire: to have one of these.
  bool looks_full() const { return full_.load(std::memory_order_acquire); }

 private:
  typename P::template plain<int> letter_{0};
  typename P::template atomic<bool> full_{false};
};

}  // namespace fencepost::certified
