// The claims of the queue of slabs, one scenario each.
//
// Slabs have one or two slots, words have one bit or two, and all slabs share one bucket, so that
// each boundary is reached in fewer steps. Items are numbers. The claims that ticket_queue makes as
// well are in queues_of_slabs/. The scenarios in faults.hpp must be violated.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/models/queues_of_slabs/counted_queue.hpp"
#include "fencepost/models/queues_of_slabs/items_popped_in_order.hpp"
#include "fencepost/models/queues_of_slabs/items_popped_once.hpp"
#include "fencepost/models/slab_queue/slab_queue_history.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models {

namespace slab_queue_scenarios {

using namespace queues_of_slabs_scenarios;

// Slabs of one slot, of two slots in two words, and of two slots in one word; all with one bucket.
inline constexpr slab_shape one_slot{.slots = 1, .word_bits = 1, .buckets = 1};
inline constexpr slab_shape two_words{.slots = 2, .word_bits = 1, .buckets = 1};
inline constexpr slab_shape one_word{.slots = 2, .word_bits = 2, .buckets = 1};

struct slab_queues {
  static constexpr text component{"slab_queue"};
  template <class T, class P>
  using one_slot = slab_queue<T, P, slab_queue_scenarios::one_slot>;
  template <class T, class P>
  using two_slots = slab_queue<T, P, two_words>;
  template <class T, class P>
  using two_together = slab_queue<T, P, one_word>;
  static constexpr bool is_long = true;
};
template <template <class, class> class Claim>
using on_slabs = on<Claim, slab_queues>;

template <class P>
struct published_out_of_order {
  static constexpr auto about = scenario{
      .name = "slab_queue/published_out_of_order",
      .threads = 3,
      .claim =
          "an unpublished slot does not delay the items after it, and is not skipped for good"};
  slabs_of_two<P, slab_queues, 2> queue;
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 0) {
      if (pushed.load(std::memory_order_acquire)) require(queue.pop(), "an item is available");
      queue.pop();
    } else {
      queue.push(index - 1);
      if (index == 2) pushed.store(true, std::memory_order_release);
    }
  }
  void after() { queue.each_once(); }
};

// Slabs are at least a cache line apart; neighbours have different buckets.
constexpr std::uint64_t line_of_address(std::uint64_t address) noexcept { return address / 64; }

template <class P>
struct no_slab_is_freed_by_buckets
    : push_behind_full_slabs<
          slab_queue<unsigned, P, one_slot, refcount_buckets<P, 16, line_of_address>>> {
  static constexpr auto about = scenario{.name = "slab_queue/no_slab_is_freed_by_buckets",
                                         .threads = 3,
                                         .claim = "the same when each slab has its own bucket"};
};

template <class P>
struct fifo_across_words : fifo<slab_queue<unsigned, P, two_words>, 3> {
  static constexpr auto about =
      scenario{.name = "slab_queue/fifo_across_words",
               .threads = 3,
               .claim = "the items of one producer are popped in its order, also across two words"};
};

template <class P>
struct empty_is_not_mistaken {
  static constexpr auto about = scenario{
      .name = "slab_queue/empty_is_not_mistaken",
      .threads = 3,
      .claim =
          "after a push that happens before, the queue is not empty and a pop obtains an item"};
  slabs_of_one<P, slab_queues, 2> queue;
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 0) {
      const bool there = pushed.load(std::memory_order_acquire);
      require(!there || !queue.empty(), "the queue is not empty");
      require(queue.pop() || !there, "the pop returns an item");
    } else {
      queue.push(index - 1);
      if (index == 1) pushed.store(true, std::memory_order_release);
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
struct linearizable : two_producers_recorded<P, recorded_queue<P, two_words, 3>, 2> {
  static constexpr auto about =
      scenario{.name = "slab_queue/linearizable",
               .threads = 3,
               .claim = "the results of producers and a consumer are linearizable"};
};
template <class P>
struct linearizable_over_slabs : two_producers_recorded<P, recorded_queue<P, one_slot, 3>> {
  static constexpr auto about = scenario{.name = "slab_queue/linearizable_over_slabs",
                                         .threads = 3,
                                         .claim = "the same when each item has a slab of its own"};
};

using claims = scenario_list<
    on_slabs<nothing_is_lost>::scenario, on_slabs<slab_boundary>::scenario,
    on_slabs<race_to_append>::scenario, published_out_of_order,
    on_slabs<no_slab_is_freed_in_use>::scenario, no_slab_is_freed_by_buckets,
    on_slabs<no_address_is_mistaken>::scenario, on_slabs<free_slab_is_used_again>::scenario,
    on_slabs<tail_comes_back>::scenario, fifo_across_words, on_slabs<fifo_across_slabs>::scenario,
    on_slabs<causal_order>::scenario, on_slabs<two_producers_over_slabs>::scenario,
    on_slabs<destroyed_after_the_last_pop>::scenario, on_slabs<left_items_are_destroyed>::scenario,
    empty_is_not_mistaken, linearizable, linearizable_over_slabs>;

}  // namespace slab_queue_scenarios

using slab_queue_claims_list = slab_queue_scenarios::claims;

}  // namespace fencepost::models
