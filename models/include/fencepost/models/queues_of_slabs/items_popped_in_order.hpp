// Claims of queues of slabs about the order of their items: if one push happens before another, its
// item is popped first.
#pragma once

#include <atomic>

#include "fencepost/models/queues_of_slabs/counted_queue.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::queues_of_slabs_scenarios {

// A producer of two items, another of one, and a consumer that cannot see all of them in one step.
template <class Queue, unsigned Pops>
struct fifo {
  counted_queue<Queue, 3> queue;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned attempt = 0; attempt < Pops; ++attempt) queue.pop();
    } else if (index == 1) {
      queue.push(0);
      queue.push(1);
    } else {
      queue.push(2);
    }
  }
  void after() {
    queue.each_once();
    queue.in_order(0, 1);
  }
};

template <class P, class Kind>
struct fifo_across_slabs : fifo<typename Kind::template one_slot<unsigned, P>, 1> {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "fifo_across_slabs">,
               .threads = 3,
               .claim = "the items of one producer are popped in its order, also across two slabs"};
};

template <class P, class Kind>
struct causal_order {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "causal_order">,
               .threads = 3,
               .claim = "if one push happens before another's, its item is popped first"};
  slabs_of_two<P, Kind, 2> queue;
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop();
      queue.pop();
    } else if (index == 1) {
      queue.push(0);
      pushed.store(true, std::memory_order_release);
    } else {
      while (!pushed.load(std::memory_order_acquire)) P::spin_pause();
      queue.push(1);
    }
  }
  void after() {
    queue.each_once();
    queue.in_order(0, 1);
  }
};

// All at once: the slab is full, and both producers reach the next one and pass its end.
template <class P, class Kind>
struct two_producers_over_slabs {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "two_producers_over_slabs">,
               .threads = 3,
               .claim =
                   "two producers of two items each, across slabs: nothing is lost, and each one's "
                   "items are popped in its order",
               .nightly = Kind::is_long,
               .symmetric = {.first = 1, .count = 2}};
  slabs_of_two<P, Kind, 6> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned attempt = 0; attempt < 3; ++attempt) queue.pop();
    } else {
      queue.push(2 * index);
      queue.push(2 * index + 1);
    }
  }
  void after() {
    queue.each_once();
    queue.in_order(2, 3);
    queue.in_order(4, 5);
  }
};

// Two producers; the second one's push may happen after the first one's. The queue records its
// operations.
template <class P, class Recorded, unsigned Pushes = 1>
struct two_producers_recorded {
  Recorded queue;
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop(index);
      queue.is_empty(index);
      queue.pop(index);
    } else if (index == 1) {
      queue.push(1, index);
      pushed.store(true, std::memory_order_release);  // pairs with the load below
      for (unsigned more = 1; more < Pushes; ++more) queue.push(10 * more, index);
    } else {
      pushed.load(std::memory_order_acquire);
      queue.push(2, index);
    }
  }
  void after() { queue.is_explained(); }
};

}  // namespace fencepost::models::queues_of_slabs_scenarios
