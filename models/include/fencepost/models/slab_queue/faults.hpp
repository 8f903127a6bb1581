// What the queue of slabs would be without each of its orders: scenarios that must be violated.
// Each is a scenario of slab_queue.hpp on a policy, or with buckets, that have one fault. What the
// queue would be without the second look at its tail, and without the second look at its words, is
// in published/perfetto_slabs.hpp and published/perfetto_scan.hpp.
#pragma once

#include <atomic>
#include <type_traits>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/published/perfetto_slabs.hpp"
#include "fencepost/models/slab_queue/claims.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace slab_queue_faults {

using faults::operation;
using faults::weaker;
constexpr std::memory_order acquire = std::memory_order_acquire;
constexpr std::memory_order release = std::memory_order_release;
constexpr std::memory_order relaxed = std::memory_order_relaxed;
using slab_queue_scenarios::counted_queue;
using slab_queue_scenarios::free_slab_is_used_again;
using slab_queue_scenarios::one_slot;
using slab_queue_scenarios::stale_tail;

// A producer pushes to the next slab, the consumer follows.
template <class P>
struct next_slab {
  counted_queue<P, one_slot, 2> queue;
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

// Two producers, of whom one appends a slab that the other finds; the consumer comes later.
template <class P>
struct found_slab {
  counted_queue<P, slab_queue_scenarios::two_words, 4> queue;
  void before() {
    queue.push(0);
    queue.push(1);
  }
  void thread(unsigned index) { queue.push(index + 2); }
  void after() { queue.each_once(); }
};

template <class P>
struct relaxed_publish : next_slab<weaker<P, operation::bit_or, release, relaxed>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_publish",
               .threads = 2,
               .claim = "with a relaxed publish, the consumer takes an unpublished item",
               .expected = violation::data_race};
};

// The counts are words of four bytes, the bitmaps of the slabs have eight.
template <class T>
using is_count = std::bool_constant<std::is_integral_v<T> && sizeof(T) == 4>;
template <class T>
using is_bitmap = std::bool_constant<std::is_integral_v<T> && sizeof(T) == 8>;
template <class P>
struct relaxed_scan : next_slab<weaker<P, operation::load, acquire, relaxed, is_bitmap>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_scan",
               .threads = 2,
               .claim = "with a relaxed scan, the consumer takes an unpublished item",
               .expected = violation::data_race};
};

// The loads of the tail: in found_slab it is the producers' that matters, in next_slab the
// consumer's.
template <class P>
struct relaxed_second_look
    : found_slab<weaker<P, operation::load, acquire, relaxed, std::is_pointer>> {
  static constexpr auto about = scenario{
      .name = "slab_queue/relaxed_second_look",
      .threads = 2,
      .claim = "with a relaxed second read of the tail, a producer uses an unpublished slab",
      .expected = violation::data_race};
};
template <class P>
struct relaxed_discovery
    : next_slab<weaker<P, operation::load, acquire, relaxed, std::is_pointer>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_discovery",
               .threads = 2,
               .claim = "with a relaxed read of the tail, the consumer links an unpublished slab",
               .expected = violation::data_race};
};

// A compare-exchange of null is that of the spare slab, any other that of the tail.
struct append_is_relaxed {
  template <class T>
  static constexpr std::memory_order order(operation o, std::memory_order written, T expected) {
    return o == operation::compare_exchange && expected != T{} ? relaxed : written;
  }
};
template <class P>
struct relaxed_append : next_slab<faults::with_orders<P, append_is_relaxed>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_append",
               .threads = 2,
               .claim = "with a relaxed append, the consumer links an unpublished slab",
               .expected = violation::data_race};
};

struct recycle_is_relaxed {
  template <class T>
  static constexpr std::memory_order order(operation o, std::memory_order written, T expected) {
    return o == operation::compare_exchange && expected == T{} ? relaxed : written;
  }
};
template <class P>
struct relaxed_recycle : free_slab_is_used_again<faults::with_orders<P, recycle_is_relaxed>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_recycle",
               .threads = 2,
               .claim = "with a relaxed recycle, a producer uses a slab that is not yet reset",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_obtain : free_slab_is_used_again<weaker<P, operation::exchange, acquire, relaxed>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_obtain",
               .threads = 2,
               .claim = "with a relaxed obtain, a producer uses a slab that is not yet reset",
               .expected = violation::data_race};
};

template <class P>
struct relaxed_hold : stale_tail<weaker<P, operation::add, acquire, relaxed>> {
  static constexpr auto about = scenario{
      .name = "slab_queue/relaxed_hold",
      .threads = 3,
      .claim =
          "with a relaxed hold, a producer may read an old slab at its second read of the tail",
      .expected = violation::use_after_free,
      .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct relaxed_drop : stale_tail<weaker<P, operation::subtract, release, relaxed>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_drop",
               .threads = 3,
               .claim = "with a relaxed drop, a slab is freed before a producer is done with it",
               .expected = violation::use_after_free,
               .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct relaxed_idle : stale_tail<weaker<P, operation::load, acquire, relaxed, is_count>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/relaxed_idle",
               .threads = 3,
               .claim = "with a relaxed idle, a slab is freed before a producer is done with it",
               .expected = violation::use_after_free,
               .symmetric = {.first = 1, .count = 2}};
};

// Buckets that hold nothing.
template <class P>
struct no_counts {
  int& hold(const void*) { return nothing; }
  void drop(int&) {}
  bool idle(const void*) { return true; }
  int nothing = 0;
};
template <class P>
struct no_refcounts : stale_tail<P, no_counts<P>> {
  static constexpr auto about =
      scenario{.name = "slab_queue/no_refcounts",
               .threads = 3,
               .claim = "without counts, a slab is freed under a producer that read it as the tail",
               .expected = violation::use_after_free,
               .symmetric = {.first = 1, .count = 2}};
};

// A producer that is not counted any more when it replaces the slab: the argument of
// refcount_buckets.hpp fails, and with it the orders.
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

// A bit that is published by a load and a store.
template <class P>
struct torn_publish_is_not_linearizable
    : slab_queue_scenarios::two_producers_recorded<faults::torn_exchanges<P>,
                                                   slab_queue_scenarios::one_word> {
  static constexpr auto about = scenario{
      .name = "slab_queue/torn_publish_is_not_linearizable",
      .threads = 3,
      .claim = "with a publish in two steps, an item is lost: the results are not linearizable",
      .expected = violation::assertion};
};

}  // namespace slab_queue_faults

using slab_queue_faults_list =
    scenario_list<slab_queue_faults::relaxed_publish, slab_queue_faults::relaxed_scan,
                  slab_queue_faults::relaxed_second_look, slab_queue_faults::relaxed_discovery,
                  slab_queue_faults::relaxed_append, slab_queue_faults::relaxed_recycle,
                  slab_queue_faults::relaxed_obtain, slab_queue_faults::relaxed_hold,
                  slab_queue_faults::relaxed_drop, slab_queue_faults::relaxed_idle,
                  slab_queue_faults::no_refcounts, slab_queue_faults::append_unheld,
                  slab_queue_faults::append_unheld_seq_cst,
                  slab_queue_faults::torn_publish_is_not_linearizable>;

}  // namespace fencepost::models
