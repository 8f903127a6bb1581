// The claims of the queue of tickets, one scenario each.
//
// Slabs have one or two slots, so that each boundary is reached in fewer steps. Items are numbers.
// The claims that slab_queue makes as well are in queues_of_slabs/. The scenarios in faults.hpp
// must be violated.
#pragma once

#include <atomic>

#include "fencepost/models/queues_of_slabs/counted_queue.hpp"
#include "fencepost/models/queues_of_slabs/items_popped_in_order.hpp"
#include "fencepost/models/queues_of_slabs/items_popped_once.hpp"
#include "fencepost/models/ticket_queue/ticket_queue_history.hpp"
#include "fencepost/queue/ticket_queue.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models {

namespace ticket_queue_scenarios {

using namespace queues_of_slabs_scenarios;

struct ticket_queues {
  static constexpr text component{"ticket_queue"};
  template <class T, class P>
  using one_slot = ticket_queue<T, P, 1>;
  template <class T, class P>
  using two_slots = ticket_queue<T, P, 2>;
  template <class T, class P>
  using two_together = two_slots<T, P>;
  static constexpr bool is_long = false;
};
template <template <class, class> class Claim>
using on_tickets = on<Claim, ticket_queues>;

// A slab with one slot left is used up, emptied and recycled until it again has one slot left.
template <class P>
struct old_ticket_of_a_new_slab {
  static constexpr auto about =
      scenario{.name = "ticket_queue/old_ticket_of_a_new_slab",
               .threads = 2,
               .claim =
                   "a producer that read the tail before the slab was recycled gets a slot of "
                   "the slab as it is now (ABA)",
               .reuse_addresses = true};
  slabs_of_two<P, ticket_queues, 6> queue;
  void before() { queue.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      queue.push(1);
    } else {
      for (unsigned item = 2; item < 6; ++item) {
        queue.push(item);
        queue.pop();
      }
    }
  }
  void after() { queue.each_once(); }
};

// The other push may have reached any step by then.
template <class P>
struct empty_is_not_mistaken {
  static constexpr auto about =
      scenario{.name = "ticket_queue/empty_is_not_mistaken",
               .threads = 3,
               .claim =
                   "after a push that happens before, the queue is not empty, although its "
                   "item may have to wait for another"};
  slabs_of_one<P, ticket_queues, 2> queue;
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 0) {
      const bool there = pushed.load(std::memory_order_acquire);
      require(!there || !queue.empty(), "the queue is not empty");
      const bool ready = queue.ready();
      require(queue.pop() || !ready, "what is ready is popped");
    } else {
      queue.push(index - 1);
      if (index == 1) pushed.store(true, std::memory_order_release);
    }
  }
  void after() { queue.each_once(); }
};

// Two pushes that the consumer knows to have ended.
template <class P>
struct finished_pushes_are_ready {
  static constexpr auto about = scenario{
      .name = "ticket_queue/finished_pushes_are_ready",
      .threads = 3,
      .claim = "when all pushes that have drawn a ticket happen before, pop returns an item"};
  slabs_of_one<P, ticket_queues, 2> queue;
  typename P::template atomic<unsigned> pushed{0};
  void thread(unsigned index) {
    if (index != 0) {
      queue.push(index - 1);
      pushed.fetch_add(1, std::memory_order_release);
    } else if (pushed.load(std::memory_order_acquire) == 2) {
      require(queue.ready() && queue.pop(), "the first item is ready");
      require(queue.ready() && queue.pop(), "the second item is ready");
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct linearizable : two_producers_recorded<P, recorded_queue<P, 2, 3>> {
  static constexpr auto about =
      scenario{.name = "ticket_queue/linearizable",
               .threads = 3,
               .claim =
                   "the results of two producers and the consumer are those of a queue in some "
                   "order, in which a push is two steps: draw and publish"};
};

template <class P>
struct linearizable_over_slabs : two_producers_recorded<P, recorded_queue<P, 1, 3>> {
  static constexpr auto about = scenario{.name = "ticket_queue/linearizable_over_slabs",
                                         .threads = 3,
                                         .claim = "the same when each item has a slab of its own"};
};

using claims = scenario_list<
    on_tickets<nothing_is_lost>::scenario, on_tickets<slab_boundary>::scenario,
    on_tickets<race_to_append>::scenario, on_tickets<no_slab_is_freed_in_use>::scenario,
    on_tickets<no_address_is_mistaken>::scenario, on_tickets<free_slab_is_used_again>::scenario,
    on_tickets<tail_comes_back>::scenario, old_ticket_of_a_new_slab,
    on_tickets<fifo_across_slabs>::scenario, on_tickets<causal_order>::scenario,
    on_tickets<two_producers_over_slabs>::scenario,
    on_tickets<destroyed_after_the_last_pop>::scenario,
    on_tickets<left_items_are_destroyed>::scenario, empty_is_not_mistaken,
    finished_pushes_are_ready, linearizable, linearizable_over_slabs>;

}  // namespace ticket_queue_scenarios

using ticket_queue_claims_list = ticket_queue_scenarios::claims;

}  // namespace fencepost::models
