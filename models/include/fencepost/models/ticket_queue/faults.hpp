// The queue of tickets without each of its orders in turn: scenarios that must be violated. Each is
// a scenario of claims.hpp, or one written for the fault, on a policy that has one fault. Omitted
// steps are in models/tests/planted/faults.cmake.
#pragma once

#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/ticket_queue/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace ticket_queue_faults {

using ticket_queue_scenarios::slabs_of_one;
using ticket_queue_scenarios::ticket_queues;

template <class P>
using free_slab_is_used_again = ticket_queue_scenarios::free_slab_is_used_again<P, ticket_queues>;

// A producer pushes an item, and the consumer takes it.
template <class P>
struct hand_over {
  slabs_of_one<P, ticket_queues, 1> queue;
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop();
    } else {
      queue.push(0);
    }
  }
  void after() { queue.each_once(); }
};

// A producer appends a slab that it has made, and the consumer follows.
template <class P>
struct next_slab {
  slabs_of_one<P, ticket_queues, 3> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      queue.push(2);
    } else {
      queue.pop();
      queue.pop();
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
using found_with_room = ticket_queue_scenarios::found_slab<ticket_queue<unsigned, P, 2>>;
template <class P>
using found_used_up = ticket_queue_scenarios::found_slab<ticket_queue<unsigned, P, 1>>;

}  // namespace ticket_queue_faults

using ticket_queue_faults_list = scenario_list<
    order_fault<"ticket_queue/relaxed_publish", ticket_queue_faults::hand_over,
                "ticket_queue.hpp:publish=relaxed", violation::data_race,
                "with a relaxed publish, the consumer takes an unpublished item">::on,
    order_fault<"ticket_queue/relaxed_published", ticket_queue_faults::hand_over,
                "ticket_queue.hpp:published=relaxed", violation::data_race,
                "with a relaxed look at the mark, the consumer takes an unpublished item">::on,
    order_fault<"ticket_queue/relaxed_draw", ticket_queue_faults::found_with_room,
                "ticket_queue.hpp:draw=relaxed", violation::data_race,
                "with a relaxed draw, a producer uses an unpublished slab">::on,
    order_fault<"ticket_queue/acquire_append", ticket_queue_faults::found_with_room,
                "ticket_queue.hpp:append=acquire", violation::data_race,
                "with an append that does not release, a producer uses an unpublished slab">::on,
    order_fault<"ticket_queue/release_append", ticket_queue_faults::found_used_up,
                "ticket_queue.hpp:append=release", violation::data_race,
                "with an append that does not acquire, a producer links an unpublished slab">::on,
    order_fault<"ticket_queue/relaxed_link", ticket_queue_faults::next_slab,
                "ticket_queue.hpp:link=relaxed", violation::data_race,
                "with a relaxed link, the consumer follows to an unpublished slab">::on,
    order_fault<"ticket_queue/relaxed_follow", ticket_queue_faults::next_slab,
                "ticket_queue.hpp:follow=relaxed", violation::data_race,
                "with a relaxed look at the link, the consumer follows to an unpublished slab">::on,
    order_fault<"ticket_queue/relaxed_recycle", ticket_queue_faults::free_slab_is_used_again,
                "ticket_queue.hpp:recycle=relaxed", violation::data_race,
                "with a relaxed recycle, a producer uses a slab that is not yet reset">::on,
    order_fault<"ticket_queue/relaxed_obtain", ticket_queue_faults::free_slab_is_used_again,
                "ticket_queue.hpp:obtain=relaxed", violation::data_race,
                "with a relaxed obtain, a producer uses a slab that is not yet reset">::on>;

}  // namespace fencepost::models
