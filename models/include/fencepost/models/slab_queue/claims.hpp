// What the queue of slabs claims, one scenario a claim.
//
// Slabs of one or two slots, words of one bit or two, and one bucket for all slabs: what is a
// boundary there is one here, with fewer steps. Items are numbers. faults.hpp has what
// must be violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "fencepost/models/slab_queue/specification.hpp"
#include "fencepost/queue/slab_queue.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace slab_queue_scenarios {

// Each slot a slab, two slots in two words, two slots in one word; one bucket.
inline constexpr slab_shape one_slot{.slots = 1, .word_bits = 1, .buckets = 1};
inline constexpr slab_shape two_words{.slots = 2, .word_bits = 1, .buckets = 1};
inline constexpr slab_shape one_word{.slots = 2, .word_bits = 2, .buckets = 1};

// A queue that keeps count of what was popped. The count is the consumer's, plain memory.
template <class P, slab_shape Shape, unsigned Items, class Buckets = refcount_buckets<P, 1>>
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
  bool empty() { return queue_.empty(); }

  // Whether `first` is popped before `second`, as far as they are.
  void in_order(unsigned first, unsigned second) const {
    require(popped_[second] == 0 || (popped_[first] != 0 && popped_[first] < popped_[second]),
            "the item that was pushed first is popped first");
  }
  // At the end: pops what is left.
  void each_once() {
    while (pop()) {
    }
    require(turn_ == Items, "no item is lost");
    require(queue_.empty(), "the queue is empty at the end");
  }

 private:
  slab_queue<unsigned, P, Shape, Buckets> queue_;
  unsigned popped_[Items] = {};  // the turn at which the item was popped
  unsigned turn_ = 0;
};

template <class P>
struct nothing_is_lost {
  static constexpr auto about =
      scenario{.name = "slab_queue/nothing_is_lost",
               .threads = 3,
               .claim = "every item is popped exactly once, fully published",
               .symmetric = {.first = 1, .count = 2}};
  counted_queue<P, one_word, 2> queue;
  void thread(unsigned index) {
    if (index != 0) return queue.push(index - 1);
    queue.pop();
    queue.pop();
  }
  void after() { queue.each_once(); }
};

// The consumer follows the producer from slab to slab.
template <class P>
struct slab_boundary {
  static constexpr auto about =
      scenario{.name = "slab_queue/slab_boundary",
               .threads = 2,
               .claim = "the consumer follows a producer into the next slab and loses nothing"};
  counted_queue<P, two_words, 4> queue;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 4; ++item) queue.push(item);
    } else {
      for (unsigned attempt = 0; attempt < 3; ++attempt) queue.pop();
    }
  }
  void after() { queue.each_once(); }
};

// The slabs of two items are full. Two producers push more, and the consumer pops.
template <class P, slab_shape Shape, class Buckets = refcount_buckets<P, 1>>
struct push_behind_full_slabs {
  counted_queue<P, Shape, 4, Buckets> queue;
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

// One slab. Whoever appends second finds that it is not the last, and uses the other's, or one
// more.
template <class P>
struct race_to_append : push_behind_full_slabs<P, two_words> {
  static constexpr auto about =
      scenario{.name = "slab_queue/race_to_append",
               .threads = 3,
               .claim = "two producers that find the slab full append one slab and lose nothing",
               .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct published_out_of_order {
  static constexpr auto about = scenario{
      .name = "slab_queue/published_out_of_order",
      .threads = 3,
      .claim =
          "an unpublished slot does not delay the items after it, and is not skipped for good"};
  counted_queue<P, two_words, 2> queue;
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

// Two slabs. A producer appends one, the consumer retires one or both, and a producer that has seen
// the second one as the last may be anywhere on its way.
template <class P, class Buckets = refcount_buckets<P, 1>>
using stale_tail = push_behind_full_slabs<P, one_slot, Buckets>;

template <class P>
struct no_slab_is_freed_in_use : stale_tail<P> {
  static constexpr auto about =
      scenario{.name = "slab_queue/no_slab_is_freed_in_use",
               .threads = 3,
               .claim = "a slab is not freed while a producer may access it",
               .symmetric = {.first = 1, .count = 2}};
};

// Slabs are lines apart; neighbours are in two buckets.
constexpr std::uint64_t line_of_address(std::uint64_t address) noexcept { return address / 64; }

template <class P>
struct no_slab_is_freed_by_buckets : stale_tail<P, refcount_buckets<P, 16, line_of_address>> {
  static constexpr auto about = scenario{.name = "slab_queue/no_slab_is_freed_by_buckets",
                                         .threads = 3,
                                         .claim = "the same when each slab has its own bucket"};
};

template <class P>
struct no_address_is_mistaken : stale_tail<P> {
  static constexpr auto about =
      scenario{.name = "slab_queue/no_address_is_mistaken",
               .threads = 3,
               .claim = "the same when the addresses of freed slabs are reused (ABA)",
               .reuse_addresses = true,
               .symmetric = {.first = 1, .count = 2}};
};

// A slab goes from the consumer to the producer and becomes the last one again.
template <class P>
struct free_slab_is_used_again {
  static constexpr auto about = scenario{.name = "slab_queue/free_slab_is_used_again",
                                         .threads = 2,
                                         .claim = "a recycled slab works like a new one"};
  counted_queue<P, one_slot, 4> queue;
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

// The same, and another producer that took its time.
template <class P>
struct tail_comes_back {
  static constexpr auto about = scenario{
      .name = "slab_queue/tail_comes_back",
      .threads = 3,
      .claim = "a slow producer pushes to a recycled slab as it is now, never as it was (ABA)",
      .reuse_addresses = true};
  counted_queue<P, one_slot, 4> queue;
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

// Two words, or two slabs, that the consumer cannot look at in one step.
template <class P, slab_shape Shape, unsigned Pops>
struct fifo {
  counted_queue<P, Shape, 3> queue;
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

template <class P>
struct fifo_across_words : fifo<P, two_words, 3> {
  static constexpr auto about =
      scenario{.name = "slab_queue/fifo_across_words",
               .threads = 3,
               .claim = "the items of one producer are popped in its order, also across two words"};
};

template <class P>
struct fifo_across_slabs : fifo<P, one_slot, 1> {
  static constexpr auto about =
      scenario{.name = "slab_queue/fifo_across_slabs",
               .threads = 3,
               .claim = "the items of one producer are popped in its order, also across two slabs"};
};

template <class P>
struct causal_order {
  static constexpr auto about =
      scenario{.name = "slab_queue/causal_order",
               .threads = 3,
               .claim = "if one push happens before another's, its item is popped first"};
  counted_queue<P, two_words, 2> queue;
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

// All at once: the slab is full, both producers get to the next one and over its words.
template <class P>
struct two_producers_over_slabs {
  static constexpr auto about =
      scenario{.name = "slab_queue/two_producers_over_slabs",
               .threads = 3,
               .claim =
                   "two producers of two items each, across words and slabs: nothing is lost, and "
                   "each one's items are popped in its order",
               .nightly = true,
               .symmetric = {.first = 1, .count = 2}};
  counted_queue<P, two_words, 6> queue;
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

// The consumer waits for what it knows will come, and then the queue is no more.
template <class P>
struct destroyed_after_the_last_pop {
  static constexpr auto about =
      scenario{.name = "slab_queue/destroyed_after_the_last_pop",
               .threads = 3,
               .claim = "the consumer may destroy the queue as soon as it has popped the last item",
               .symmetric = {.first = 1, .count = 2}};
  std::unique_ptr<counted_queue<P, one_slot, 2>> queue =
      std::make_unique<counted_queue<P, one_slot, 2>>();
  void thread(unsigned index) {
    if (index != 0) return queue->push(index - 1);
    for (unsigned items = 0; items < 2; ++items) {
      while (!queue->pop()) P::spin_pause();
    }
    queue.reset();
  }
};

// Items that own memory: what is not popped is destroyed with the queue, or the checker finds a
// leak.
template <class P>
struct left_items_are_destroyed {
  static constexpr auto about =
      scenario{.name = "slab_queue/left_items_are_destroyed",
               .threads = 2,
               .claim = "move-only items are popped intact, or are destroyed with the queue"};
  slab_queue<std::unique_ptr<unsigned>, P, one_slot> queue;
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

template <class P>
struct empty_is_not_mistaken {
  static constexpr auto about = scenario{
      .name = "slab_queue/empty_is_not_mistaken",
      .threads = 3,
      .claim =
          "after a push that happens before, the queue is not empty and a pop obtains an item"};
  counted_queue<P, one_slot, 2> queue;
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

// A queue that writes down what is done to it, by thread.
template <class P, slab_shape Shape, unsigned Threads>
class recorded_queue {
 public:
  static constexpr unsigned main = history<fifo_queue>::main;

  void push(unsigned item, unsigned thread) {
    operations_.run(thread, {action::push, item}, [&]() -> result {
      require(queue_.try_push(unsigned{item}), "there is memory");
      return {};
    });
  }
  bool pop(unsigned thread) {
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      const std::optional<unsigned> item = queue_.pop();
      return item ? result{answer::item, *item} : result{answer::empty};
    });
    return r.kind == answer::item;
  }
  void is_empty(unsigned thread) {
    operations_.run(thread, {action::is_empty}, [&]() -> result {
      return {queue_.empty() ? answer::empty : answer::not_empty};
    });
  }

  // At the end: what is left is a part of the history.
  void is_explained() {
    while (pop(main)) continue;
    require_linearizable(operations_);
  }

 private:
  using action = fifo_queue::action;
  using answer = fifo_queue::answer;
  using result = fifo_queue::result;

  slab_queue<unsigned, P, Shape> queue_;
  history<fifo_queue> operations_{Threads};
};

// Two producers, of whom the second one may push when it knows of the first one's push.
template <class P, slab_shape Shape, unsigned Pushes = 1>
struct two_producers_recorded {
  recorded_queue<P, Shape, 3> queue;
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

template <class P>
struct linearizable : two_producers_recorded<P, two_words, 2> {
  static constexpr auto about =
      scenario{.name = "slab_queue/linearizable",
               .threads = 3,
               .claim = "the results of producers and a consumer are linearizable"};
};
template <class P>
struct linearizable_over_slabs : two_producers_recorded<P, one_slot> {
  static constexpr auto about = scenario{.name = "slab_queue/linearizable_over_slabs",
                                         .threads = 3,
                                         .claim = "the same when each item has a slab of its own"};
};

}  // namespace slab_queue_scenarios

using slab_queue_claims_list = scenario_list<
    slab_queue_scenarios::nothing_is_lost, slab_queue_scenarios::slab_boundary,
    slab_queue_scenarios::race_to_append, slab_queue_scenarios::published_out_of_order,
    slab_queue_scenarios::no_slab_is_freed_in_use,
    slab_queue_scenarios::no_slab_is_freed_by_buckets, slab_queue_scenarios::no_address_is_mistaken,
    slab_queue_scenarios::free_slab_is_used_again, slab_queue_scenarios::tail_comes_back,
    slab_queue_scenarios::fifo_across_words, slab_queue_scenarios::fifo_across_slabs,
    slab_queue_scenarios::causal_order, slab_queue_scenarios::two_producers_over_slabs,
    slab_queue_scenarios::destroyed_after_the_last_pop,
    slab_queue_scenarios::left_items_are_destroyed, slab_queue_scenarios::empty_is_not_mistaken,
    slab_queue_scenarios::linearizable, slab_queue_scenarios::linearizable_over_slabs>;

}  // namespace fencepost::models
