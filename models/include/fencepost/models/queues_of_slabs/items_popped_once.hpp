// Claims of queues of slabs about their items: each is popped exactly once.
#pragma once

#include <memory>

#include "fencepost/models/queues_of_slabs/counted_queue.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::queues_of_slabs_scenarios {

template <class P, class Kind>
struct nothing_is_lost {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "nothing_is_lost">,
               .threads = 3,
               .claim = "every item is popped exactly once, fully published",
               .symmetric = {.first = 1, .count = 2}};
  counted_queue<typename Kind::template two_together<unsigned, P>, 2> queue;
  void thread(unsigned index) {
    if (index != 0) return queue.push(index - 1);
    queue.pop();
    queue.pop();
  }
  void after() { queue.each_once(); }
};

// The consumer follows the producer from slab to slab.
template <class P, class Kind>
struct slab_boundary {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "slab_boundary">,
               .threads = 2,
               .claim = "the consumer follows a producer into the next slab and loses nothing"};
  slabs_of_two<P, Kind, 4> queue;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 4; ++item) queue.push(item);
    } else {
      for (unsigned attempt = 0; attempt < 3; ++attempt) queue.pop();
    }
  }
  void after() { queue.each_once(); }
};

// The slabs of the first two items are full. Two producers push more, and the consumer pops.
template <class Queue>
struct push_behind_full_slabs {
  counted_queue<Queue, 4> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop();
      queue.pop();
    } else {
      queue.push(index + 1);
    }
  }
  void after() { queue.each_once(); }
};

// One slab. The producer that appends second finds that the slab is no longer the last, and uses
// the other's, or appends another.
template <class P, class Kind>
struct race_to_append : push_behind_full_slabs<typename Kind::template two_slots<unsigned, P>> {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "race_to_append">,
               .threads = 3,
               .claim = "two producers that find the slab full append one slab and lose nothing",
               .symmetric = {.first = 1, .count = 2}};
};

// Two slabs. The producers append, the consumer retires one or both, and a producer that has read
// one of them in the tail may have reached any step.
template <class P, class Kind>
using stale_tail = push_behind_full_slabs<typename Kind::template one_slot<unsigned, P>>;

template <class P, class Kind>
struct no_slab_is_freed_in_use : stale_tail<P, Kind> {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "no_slab_is_freed_in_use">,
               .threads = 3,
               .claim = "a slab is not freed while a producer may access it",
               .symmetric = {.first = 1, .count = 2}};
};

template <class P, class Kind>
struct no_address_is_mistaken : stale_tail<P, Kind> {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "no_address_is_mistaken">,
               .threads = 3,
               .claim = "the same when the addresses of freed slabs are reused (ABA)",
               .reuse_addresses = true,
               .symmetric = {.first = 1, .count = 2}};
};

// A slab goes from the consumer to the producer and becomes the last one again.
template <class P, class Kind>
struct free_slab_is_used_again {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "free_slab_is_used_again">,
               .threads = 2,
               .claim = "a recycled slab works like a new one"};
  slabs_of_one<P, Kind, 4> queue;
  void before() { queue.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned attempt = 0; attempt < 3; ++attempt) queue.pop();
    } else {
      for (unsigned item = 1; item < 4; ++item) queue.push(item);
    }
  }
  void after() { queue.each_once(); }
};

// The same with a slow second producer: it reads the slab in the tail, and accesses it when it is
// the last one again.
template <class P, class Kind>
struct tail_comes_back {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "tail_comes_back">,
               .threads = 3,
               .claim = "a slow producer uses a recycled slab as it is now, never as it was (ABA)",
               .reuse_addresses = true};
  slabs_of_one<P, Kind, 4> queue;
  void before() { queue.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop();
    } else if (index == 1) {
      queue.push(1);
      queue.push(2);
    } else {
      queue.push(3);
    }
  }
  void after() { queue.each_once(); }
};

// The consumer waits for all items, and then destroys the queue.
template <class P, class Kind>
struct destroyed_after_the_last_pop {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "destroyed_after_the_last_pop">,
               .threads = 3,
               .claim = "the consumer may destroy the queue as soon as it has popped the last item",
               .symmetric = {.first = 1, .count = 2}};
  std::unique_ptr<slabs_of_one<P, Kind, 2>> queue = std::make_unique<slabs_of_one<P, Kind, 2>>();
  void thread(unsigned index) {
    if (index != 0) return queue->push(index - 1);
    for (unsigned items = 0; items < 2; ++items) {
      while (!queue->pop()) P::spin_pause();
    }
    queue.reset();
  }
};

// Items that own memory: those that are not popped are destroyed with the queue, or the checker
// finds a leak.
template <class P, class Kind>
struct left_items_are_destroyed {
  static constexpr auto about =
      scenario{.name = scenario_name<Kind::component, "left_items_are_destroyed">,
               .threads = 2,
               .claim = "move-only items are popped intact, or are destroyed with the queue"};
  typename Kind::template one_slot<std::unique_ptr<unsigned>, P> queue;
  void thread(unsigned index) {
    if (index == 0) {
      const auto item = queue.pop();
      require(!item || **item == 0, "the first item is the first");
    } else {
      queue.push(std::make_unique<unsigned>(0u));
      queue.push(std::make_unique<unsigned>(1u));
    }
  }
};

// Two producers, one of which appends a slab that the other finds; the consumer pops later.
template <class Queue>
struct found_slab {
  counted_queue<Queue, 4> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) { queue.push(index + 2); }
  void after() { queue.each_once(); }
};

}  // namespace fencepost::models::queues_of_slabs_scenarios
