// What the queue of tickets claims, one scenario a claim.
//
// Slabs of one or two slots: what is a boundary there is one here, with fewer steps. Items are
// numbers. faults.hpp has what must be violated.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "fencepost/models/ticket_queue/specification.hpp"
#include "fencepost/queue/ticket_queue.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace ticket_queue_scenarios {

// A queue that keeps count of what was popped. The count is the consumer's, plain memory.
template <class P, std::uint32_t Slots, unsigned Items>
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
  ticket_queue<unsigned, P, Slots> queue_;
  unsigned popped_[Items] = {};  // the turn at which the item was popped
  unsigned turn_ = 0;
};

template <class P>
struct nothing_is_lost {
  static constexpr auto about =
      scenario{.name = "ticket_queue/nothing_is_lost",
               .threads = 3,
               .claim = "every item is popped exactly once, fully published",
               .symmetric = {.first = 1, .count = 2}};
  counted_queue<P, 2, 2> queue;
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
      scenario{.name = "ticket_queue/slab_boundary",
               .threads = 2,
               .claim = "the consumer follows a producer into the next slab and loses nothing"};
  counted_queue<P, 2, 4> queue;
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
template <class P, std::uint32_t Slots>
struct push_behind_full_slabs {
  counted_queue<P, Slots, 4> queue;
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
struct race_to_append : push_behind_full_slabs<P, 2> {
  static constexpr auto about =
      scenario{.name = "ticket_queue/race_to_append",
               .threads = 3,
               .claim = "two producers that find the slab used up append one and lose nothing",
               .symmetric = {.first = 1, .count = 2}};
};

// Two slabs. Each producer appends one, the consumer retires one or both, and the other producer
// that has read one of them in the tail may be anywhere on its way.
template <class P>
struct no_slab_is_freed_in_use : push_behind_full_slabs<P, 1> {
  static constexpr auto about =
      scenario{.name = "ticket_queue/no_slab_is_freed_in_use",
               .threads = 3,
               .claim = "a slab is not freed while a producer may access it",
               .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct no_address_is_mistaken : push_behind_full_slabs<P, 1> {
  static constexpr auto about =
      scenario{.name = "ticket_queue/no_address_is_mistaken",
               .threads = 3,
               .claim = "the same when the addresses of freed slabs are reused (ABA)",
               .reuse_addresses = true,
               .symmetric = {.first = 1, .count = 2}};
};

// A slab goes from the consumer to the producer and becomes the last one again.
template <class P>
struct free_slab_is_used_again {
  static constexpr auto about = scenario{.name = "ticket_queue/free_slab_is_used_again",
                                         .threads = 2,
                                         .claim = "a recycled slab works like a new one"};
  counted_queue<P, 1, 4> queue;
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

// The same, and another producer that took its time: it reads the slab in the tail as used up, and
// exchanges the tail when the slab is used up once more.
template <class P>
struct tail_comes_back {
  static constexpr auto about = scenario{
      .name = "ticket_queue/tail_comes_back",
      .threads = 3,
      .claim = "a slow producer appends to a recycled slab as it is now, never as it was (ABA)",
      .reuse_addresses = true};
  counted_queue<P, 1, 4> queue;
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

// A slab of which one slot is left is used up, popped and back, with one slot left.
template <class P>
struct old_ticket_of_a_new_slab {
  static constexpr auto about =
      scenario{.name = "ticket_queue/old_ticket_of_a_new_slab",
               .threads = 2,
               .claim =
                   "a producer that read the tail before the slab was recycled gets a slot of "
                   "the slab as it is now (ABA)",
               .reuse_addresses = true};
  counted_queue<P, 2, 6> queue;
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

// Two slabs that the consumer cannot look at in one step.
template <class P>
struct fifo_across_slabs {
  static constexpr auto about =
      scenario{.name = "ticket_queue/fifo_across_slabs",
               .threads = 3,
               .claim = "the items of one producer are popped in its order, also across two slabs"};
  counted_queue<P, 1, 3> queue;
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop();
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
struct causal_order {
  static constexpr auto about =
      scenario{.name = "ticket_queue/causal_order",
               .threads = 3,
               .claim = "if one push happens before another's, its item is popped first"};
  counted_queue<P, 2, 2> queue;
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

// All at once: the slab is full, both producers get to the next one and over its end.
template <class P>
struct two_producers_over_slabs {
  static constexpr auto about =
      scenario{.name = "ticket_queue/two_producers_over_slabs",
               .threads = 3,
               .claim =
                   "two producers of two items each, across slabs: nothing is lost, and each one's "
                   "items are popped in its order",
               .symmetric = {.first = 1, .count = 2}};
  counted_queue<P, 2, 6> queue;
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
      scenario{.name = "ticket_queue/destroyed_after_the_last_pop",
               .threads = 3,
               .claim = "the consumer may destroy the queue as soon as it has popped the last item",
               .symmetric = {.first = 1, .count = 2}};
  std::unique_ptr<counted_queue<P, 1, 2>> queue = std::make_unique<counted_queue<P, 1, 2>>();
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
      scenario{.name = "ticket_queue/left_items_are_destroyed",
               .threads = 2,
               .claim = "move-only items are popped intact, or are destroyed with the queue"};
  ticket_queue<std::unique_ptr<unsigned>, P, 1> queue;
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

// Whatever the other push has done by then.
template <class P>
struct empty_is_not_mistaken {
  static constexpr auto about =
      scenario{.name = "ticket_queue/empty_is_not_mistaken",
               .threads = 3,
               .claim =
                   "after a push that happens before, the queue is not empty, although its "
                   "item may have to wait for another"};
  counted_queue<P, 1, 2> queue;
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

// Two pushes, and the consumer knows of both.
template <class P>
struct finished_pushes_are_ready {
  static constexpr auto about = scenario{
      .name = "ticket_queue/finished_pushes_are_ready",
      .threads = 3,
      .claim = "when all pushes that have drawn a ticket happen before, pop returns an item"};
  counted_queue<P, 1, 2> queue;
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

// A queue that writes down what is done to it, by thread.
template <class P, std::uint32_t Slots, unsigned Threads>
class recorded_queue {
 public:
  static constexpr unsigned main = history<queue_of_tickets>::main;

  void push(unsigned item, unsigned thread) {
    operations_.run_steps(thread, [&](auto did) {
      require(queue_.try_push(unsigned{item}), "there is memory");
      did({action::draw, item}, {});
      did({action::publish, item}, {});
    });
  }
  bool pop(unsigned thread) {
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      const std::optional<unsigned> item = queue_.pop();
      return item ? result{answer::item, *item} : result{answer::nothing};
    });
    return r.kind == answer::item;
  }
  void is_ready(unsigned thread) {
    operations_.run(thread, {action::is_ready}, [&] { return yes_or_no(queue_.ready()); });
  }
  void is_empty(unsigned thread) {
    operations_.run(thread, {action::is_empty}, [&] { return yes_or_no(queue_.empty()); });
  }

  // At the end: what is left is a part of the history.
  void is_explained() {
    while (pop(main)) continue;
    require_linearizable(operations_);
  }

 private:
  using action = queue_of_tickets::action;
  using answer = queue_of_tickets::answer;
  using operation = queue_of_tickets::operation;
  using result = queue_of_tickets::result;

  static result yes_or_no(bool yes) { return {yes ? answer::yes : answer::no}; }

  ticket_queue<unsigned, P, Slots> queue_;
  history<queue_of_tickets> operations_{Threads};
};

// Two producers, of whom the second one may push when it knows of the first one's push.
template <class P, std::uint32_t Slots>
struct two_producers_recorded {
  recorded_queue<P, Slots, 3> queue;
  typename P::template atomic<bool> pushed{false};
  void thread(unsigned index) {
    if (index == 0) {
      queue.pop(index);
      queue.is_empty(index);
      queue.pop(index);
    } else if (index == 1) {
      queue.push(1, index);
      pushed.store(true, std::memory_order_release);  // pairs with the load below
    } else {
      pushed.load(std::memory_order_acquire);
      queue.push(2, index);
    }
  }
  void after() { queue.is_explained(); }
};

template <class P>
struct linearizable : two_producers_recorded<P, 2> {
  static constexpr auto about =
      scenario{.name = "ticket_queue/linearizable",
               .threads = 3,
               .claim =
                   "the results of two producers and the consumer are those of a queue in some "
                   "order, in which a push is two steps: draw and publish"};
};

template <class P>
struct linearizable_over_slabs : two_producers_recorded<P, 1> {
  static constexpr auto about = scenario{.name = "ticket_queue/linearizable_over_slabs",
                                         .threads = 3,
                                         .claim = "the same when each item has a slab of its own"};
};

}  // namespace ticket_queue_scenarios

using ticket_queue_claims_list = scenario_list<
    ticket_queue_scenarios::nothing_is_lost, ticket_queue_scenarios::slab_boundary,
    ticket_queue_scenarios::race_to_append, ticket_queue_scenarios::no_slab_is_freed_in_use,
    ticket_queue_scenarios::no_address_is_mistaken, ticket_queue_scenarios::free_slab_is_used_again,
    ticket_queue_scenarios::tail_comes_back, ticket_queue_scenarios::old_ticket_of_a_new_slab,
    ticket_queue_scenarios::fifo_across_slabs, ticket_queue_scenarios::causal_order,
    ticket_queue_scenarios::two_producers_over_slabs,
    ticket_queue_scenarios::destroyed_after_the_last_pop,
    ticket_queue_scenarios::left_items_are_destroyed, ticket_queue_scenarios::empty_is_not_mistaken,
    ticket_queue_scenarios::finished_pushes_are_ready, ticket_queue_scenarios::linearizable,
    ticket_queue_scenarios::linearizable_over_slabs>;

}  // namespace fencepost::models
