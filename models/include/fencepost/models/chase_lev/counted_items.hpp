// A Chase-Lev deque that counts how often its items are obtained, for the scenarios in which each
// must be obtained exactly once.
#pragma once

#include <array>
#include <optional>

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::chase_lev_scenarios {

// Counts how often each thread obtained each item. Only the thread of a row writes it, in plain
// memory; after() reads all rows. Deque is chase_lev<unsigned, P>, or anything with the same
// specification.
template <class Deque, unsigned Threads, unsigned Items>
class counted_items {
 public:
  explicit counted_items(unsigned capacity) : deque_{capacity} {}

  void push(unsigned item) { deque_.push(item); }
  bool try_push(unsigned item) { return deque_.try_push(item); }
  bool pop() {
    const std::optional<unsigned> item = deque_.pop();
    if (item) count(0, *item);
    return item.has_value();
  }
  steal_outcome steal(unsigned thread) {
    const auto theft = deque_.steal();
    if (theft.outcome == steal_outcome::stolen) count(thread, theft.item);
    return theft.outcome;
  }

  void pop_the_rest() {
    while (pop()) continue;
  }
  void each_once() {
    pop_the_rest();
    for (unsigned item = 0; item < Items; ++item) {
      require(times(item) != 0, "no item is lost");
      require(times(item) < 2, "no item is obtained twice");
    }
  }
  unsigned times(unsigned item) const {
    unsigned times = 0;
    for (const auto& row : obtained_) times += row[item];
    return times;
  }

 private:
  void count(unsigned thread, unsigned item) {
    require(item < Items, "every item obtained was pushed");
    if (item < Items) ++obtained_[thread][item];
  }

  Deque deque_;
  std::array<std::array<unsigned, Items>, Threads> obtained_{};
};

template <class P, unsigned Threads, unsigned Items>
using counted = counted_items<chase_lev<unsigned, P>, Threads, Items>;

}  // namespace fencepost::models::chase_lev_scenarios
