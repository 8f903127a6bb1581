// A queue of slabs as the scenarios of slab_queue and of ticket_queue use it.
//
// The claims that both make are written once, for a kind of queue:
//
//   struct some_queues {
//     static constexpr text component{"some_queue"};        // the name in its scenarios
//     template <class T, class P> using one_slot = …;       // a slab has one slot
//     template <class T, class P> using two_slots = …;      // ... two, apart
//     template <class T, class P> using two_together = …;   // ... two that share what they can
//     static constexpr bool is_long = …;                    // two_producers_over_slabs is nightly
//   };
#pragma once

#include <optional>
#include <utility>

#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::queues_of_slabs_scenarios {

// Records the order in which items are popped, in the consumer's plain memory.
template <class Queue, unsigned Items>
class counted_queue {
 public:
  void push(unsigned item) { require(queue_.try_push(std::move(item)), "there is memory"); }

  bool pop() {
    const std::optional<unsigned> item = queue_.pop();
    if (!item) return false;
    require(*item < Items, "every item obtained was pushed");
    require(popped_[*item] == 0, "no item is popped twice");
    popped_[*item] = ++turn_;
    return true;
  }
  bool ready() { return queue_.ready(); }
  bool empty() { return queue_.empty(); }

  // Requires that `first` was popped before `second`, as far as they were popped.
  void in_order(unsigned first, unsigned second) const {
    require(popped_[second] == 0 || (popped_[first] != 0 && popped_[first] < popped_[second]),
            "the item that was pushed first is popped first");
  }
  // Called at the end: pops the remaining items, and requires that each was popped once.
  void each_once() {
    while (pop()) {
    }
    require(turn_ == Items, "no item is lost");
    require(queue_.empty(), "the queue is empty at the end");
  }

 private:
  Queue queue_;
  unsigned popped_[Items] = {};  // the turn at which the item was popped
  unsigned turn_ = 0;
};

template <class P, class Kind, unsigned Items>
using slabs_of_one = counted_queue<typename Kind::template one_slot<unsigned, P>, Items>;
template <class P, class Kind, unsigned Items>
using slabs_of_two = counted_queue<typename Kind::template two_slots<unsigned, P>, Items>;

// Binds a scenario to a kind of queue.
template <template <class, class> class Scenario, class Kind>
struct on {
  template <class P>
  using scenario = Scenario<P, Kind>;
};

}  // namespace fencepost::models::queues_of_slabs_scenarios
