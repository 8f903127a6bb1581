// A number of work items: add() releases, and a successful take() acquires.
#pragma once

#include <atomic>

namespace fencepost::models::event_count_scenarios {

template <class P>
struct work_pile {
  typename P::template atomic<unsigned> items{0};

  void add(unsigned count = 1) { items.fetch_add(count, std::memory_order_release); }
  bool any() const { return items.load(std::memory_order_relaxed) != 0; }
  // Takes one; returns how many there were before, 0 if none.
  unsigned take() {
    unsigned seen = items.load(std::memory_order_relaxed);
    while (seen != 0 && !items.compare_exchange_strong(seen, seen - 1, std::memory_order_acquire,
                                                       std::memory_order_relaxed)) {
    }
    return seen;
  }
};

}  // namespace fencepost::models::event_count_scenarios
