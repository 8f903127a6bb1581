// Blitz's queue of injected jobs as described: a Treiber stack whose pop reads the successor of the
// top node and exchanges the top for it.
//
// The checker finds (BLITZ-38): between the two steps another popper may have taken the node and
// its owner released it, so that the successor is read from released memory. Where memory stays
// readable, the exchange succeeds if a node at the same address is on top again, and makes a node
// the top that is no longer in the stack.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::published {

namespace blitz_injector {

template <class P>
struct node {
  typename P::template plain<node*> next{nullptr};
};

template <class P, class Node = node<P>>
struct treiber_stack {
  typename P::template atomic<Node*> head{nullptr};

  void push(Node& job) {
    Node* top = head.load(std::memory_order_relaxed);
    do {
      job.next.set(top);
    } while (!head.compare_exchange_strong(top, &job, std::memory_order_release,
                                           std::memory_order_relaxed));
  }
  Node* pop() {
    Node* top = head.load(std::memory_order_acquire);
    while (top != nullptr &&
           !head.compare_exchange_strong(top, top->next.get(), std::memory_order_acquire,
                                         std::memory_order_acquire)) {
    }
    return top;
  }
};

// A job is released as soon as it is popped.
template <class P>
struct pop_reads_released {
  static constexpr auto about = scenario{
      .name = "published/blitz_pop_reads_released",
      .threads = 2,
      .claim = "BLITZ-38: injected jobs are popped from a Treiber stack by compare-exchange",
      .expected = violation::use_after_free};
  treiber_stack<P> jobs;
  void before() { jobs.push(*new node<P>); }
  void thread(unsigned) { delete jobs.pop(); }
};

// A node whose successor may be read at any time, and which is never released: only ABA remains.
template <class P>
struct lasting_node {
  struct successor {
    typename P::template atomic<lasting_node*> value{nullptr};
    lasting_node* get() const { return value.load(std::memory_order_relaxed); }
    void set(lasting_node* node) { value.store(node, std::memory_order_relaxed); }
  };
  successor next;
};

// One popper is slow. The other pops both nodes, and pushes the first again.
template <class P>
struct pop_of_old_top {
  static constexpr auto about =
      scenario{.name = "published/blitz_pop_of_old_top",
               .threads = 2,
               .claim = "BLITZ-38: a popped job is obtained exactly once, if memory is never freed",
               .expected = violation::assertion};
  treiber_stack<P, lasting_node<P>> jobs;
  lasting_node<P> first, second;
  typename P::template atomic<unsigned> seconds{0};  // how often the second node is obtained
  void before() {
    jobs.push(second);
    jobs.push(first);
  }
  lasting_node<P>* pop() {
    lasting_node<P>* const job = jobs.pop();
    if (job == &second) seconds.fetch_add(1, std::memory_order_relaxed);
    return job;
  }
  void thread(unsigned index) {
    lasting_node<P>* const job = pop();
    if (index == 0) return;
    pop();
    if (job == &first) jobs.push(first);
  }
  void after() {
    while (pop() != nullptr) {
    }
    require(seconds.load(std::memory_order_relaxed) == 1, "a job is obtained exactly once");
  }
};

}  // namespace blitz_injector

using blitz_injector_list =
    scenario_list<blitz_injector::pop_reads_released, blitz_injector::pop_of_old_top>;

}  // namespace fencepost::models::published
