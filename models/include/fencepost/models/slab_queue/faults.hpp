// The queue of slabs without each of its orders in turn: scenarios that must be violated. Each is a
// scenario of claims.hpp on a policy, or with buckets, that have one fault. The queue without the
// second look at its tail is in published/perfetto_slabs.hpp, and the queue without the second look
// at its words in published/perfetto_scan.hpp.
#pragma once

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/models/published/perfetto_slabs.hpp"
#include "fencepost/models/slab_queue/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace slab_queue_faults {

using slab_queue_scenarios::one_slot;
using slab_queue_scenarios::one_word;
using slab_queue_scenarios::recorded_queue;
using slab_queue_scenarios::slab_queues;
using slab_queue_scenarios::two_words;

template <class P>
using free_slab_is_used_again = slab_queue_scenarios::free_slab_is_used_again<P, slab_queues>;
template <class P>
using no_slab_is_freed_in_use = slab_queue_scenarios::no_slab_is_freed_in_use<P, slab_queues>;

// A producer pushes to the next slab, and the consumer follows.
template <class P>
struct next_slab {
  slab_queue_scenarios::slabs_of_one<P, slab_queues, 2> queue;
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop();
      queue.pop();
    } else {
      queue.push(0);
      queue.push(1);
    }
  }
  void after() { queue.each_once(); }
};

template <class P>
using found_slab = slab_queue_scenarios::found_slab<slab_queue<unsigned, P, two_words>>;

// Buckets that count nothing.
template <class P>
struct no_counts {
  int& hold(const void*) { return nothing; }
  void drop(int&) {}
  bool idle(const void*) { return true; }
  int nothing = 0;
};
template <class P>
struct no_refcounts : slab_queue_scenarios::push_behind_full_slabs<
                          slab_queue<unsigned, P, one_slot, no_counts<P>>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/no_refcounts",
               .threads = 3,
               .claim = "without counts, a slab is freed under a producer that read it as the tail",
               .expected = violation::use_after_free,
               .symmetric = {.first = 1, .count = 2}};
};

// A producer that is no longer counted when it replaces the slab: the argument of
// refcount_buckets.hpp fails, and with it the reasons for the orders.
template <class P>
struct append_unheld : published::perfetto_slabs::stale_tail<
                           P, published::perfetto_slabs::rules{
                                  .second_look = true, .append_held = false, .seq_cst = false}> {
  static constexpr auto about =
      scenario{.name = "slab_queue/append_unheld",
               .threads = 3,
               .claim =
                   "if the appending producer drops the full slab before it appends, another may "
                   "read the old slab at its second read of the tail",
               .expected = violation::use_after_free,
               .symmetric = {.first = 1, .count = 2}};
};
// Sequential consistency makes up for that.
template <class P>
struct append_unheld_seq_cst
    : published::perfetto_slabs::stale_tail<P, published::perfetto_slabs::rules{
                                                   .second_look = true, .append_held = false}> {
  static constexpr auto about = scenario{
      .name = "slab_queue/append_unheld_seq_cst",
      .threads = 3,
      .claim = "even then, sequential consistency keeps the other producer from the old slab",
      .symmetric = {.first = 1, .count = 2}};
};

// Publishes a bit by a load and a store.
template <class P>
struct torn_publish_is_not_linearizable
    : slab_queue_scenarios::two_producers_recorded<
          faults::torn_exchanges<P>, recorded_queue<faults::torn_exchanges<P>, one_word, 3>> {
  static constexpr auto about = scenario{
      .name = "slab_queue/torn_publish_is_not_linearizable",
      .threads = 3,
      .claim = "with a publish in two steps, an item is lost: the results are not linearizable",
      .expected = violation::assertion};
};

}  // namespace slab_queue_faults

using slab_queue_faults_list = scenario_list<
    order_fault<"slab_queue/relaxed_publish", slab_queue_faults::next_slab,
                "slab.hpp:publish=relaxed", violation::data_race,
                "with a relaxed publish, the consumer takes an unpublished item">::on,
    order_fault<"slab_queue/relaxed_scan", slab_queue_faults::next_slab,
                "slab.hpp:published=relaxed", violation::data_race,
                "with a relaxed scan, the consumer takes an unpublished item">::on,
    order_fault<"slab_queue/relaxed_second_look", slab_queue_faults::found_slab,
                "slab_queue.hpp:second_look=relaxed", violation::data_race,
                "with a relaxed second read of the tail, a producer uses an unpublished slab">::on,
    order_fault<"slab_queue/relaxed_discovery", slab_queue_faults::next_slab,
                "slab_queue.hpp:discover=relaxed", violation::data_race,
                "with a relaxed read of the tail, the consumer links an unpublished slab">::on,
    order_fault<"slab_queue/relaxed_append", slab_queue_faults::next_slab,
                "slab_queue.hpp:append=relaxed", violation::data_race,
                "with a relaxed append, the consumer links an unpublished slab">::on,
    order_fault<"slab_queue/relaxed_recycle", slab_queue_faults::free_slab_is_used_again,
                "slab_queue.hpp:recycle=relaxed", violation::data_race,
                "with a relaxed recycle, a producer uses a slab that is not yet reset">::on,
    order_fault<"slab_queue/relaxed_obtain", slab_queue_faults::free_slab_is_used_again,
                "slab_queue.hpp:obtain=relaxed", violation::data_race,
                "with a relaxed obtain, a producer uses a slab that is not yet reset">::on,
    order_fault<
        "slab_queue/relaxed_hold", slab_queue_faults::no_slab_is_freed_in_use,
        "refcount_buckets.hpp:hold=relaxed", violation::use_after_free,
        "with a relaxed hold, a producer may read an old slab at its second read of the tail">::on,
    order_fault<"slab_queue/relaxed_drop", slab_queue_faults::no_slab_is_freed_in_use,
                "refcount_buckets.hpp:drop=relaxed", violation::use_after_free,
                "with a relaxed drop, a slab is freed before a producer is done with it">::on,
    order_fault<"slab_queue/relaxed_idle", slab_queue_faults::no_slab_is_freed_in_use,
                "refcount_buckets.hpp:idle=relaxed", violation::use_after_free,
                "with a relaxed idle, a slab is freed before a producer is done with it">::on,
    slab_queue_faults::no_refcounts, slab_queue_faults::append_unheld,
    slab_queue_faults::append_unheld_seq_cst, slab_queue_faults::torn_publish_is_not_linearizable>;

}  // namespace fencepost::models
