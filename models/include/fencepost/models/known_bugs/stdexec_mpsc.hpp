// stdexec, pull request 1812 (February 2026): an intrusive multi-producer queue that loses
// nodes.
//
// D. Vyukov's queue: producers exchange the back for their node and then link it behind the
// previous one; the consumer follows the links. To take the last node, the consumer needs another
// one behind it, so it appends a stub, nil, which belongs to the queue.
//
// What was wrong: a consumer that found the front node without a link assumed that it was the last
// one and appended nil. But a node also lacks a link while a producer is between its exchange and
// its link. With two such producers the consumer passes one, reaches a node that the other has not
// yet linked, and appends nil again, while nil is still in the queue. It clears nil's link, and
// thereby loses every node behind it; or it links nil to itself, and pops nil for ever. Repair: as
// in the original, nil is appended only if the front node is the back; otherwise the consumer
// tries again later.
//
// Written from the description and the discussion of the pull request; the counterexample with two
// late producers is the checker's.
#pragma once

#include <atomic>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

namespace stdexec_mpsc {

template <class P>
struct node {
  typename P::template atomic<node*> next{nullptr};
  bool popped = false;  // accessed by the consumer, and in after()
};

template <class P>
class queue {
 public:
  void push(node<P>& n) {
    n.next.store(nullptr, std::memory_order_relaxed);
    node<P>* const before = back_.exchange(&n, std::memory_order_acq_rel);
    before->next.store(&n, std::memory_order_release);
  }

 protected:
  node<P> nil_;
  typename P::template atomic<node<P>*> back_{&nil_};
  node<P>* front_ = &nil_;
};

template <class P>
class shipped : public queue<P> {
 public:
  node<P>* pop() {
    if (this->front_ == &this->nil_) {
      node<P>* const next = this->nil_.next.load(std::memory_order_acquire);
      if (next == nullptr) return nullptr;
      this->front_ = next;
    }
    node<P>* const front = this->front_;
    node<P>* next = front->next.load(std::memory_order_acquire);
    if (next == nullptr) {
      this->push(this->nil_);  // although it may already be in the queue
      while ((next = front->next.load(std::memory_order_acquire)) == nullptr) P::spin_pause();
    }
    this->front_ = next;
    return front;
  }
};

template <class P>
class repaired : public queue<P> {
 public:
  node<P>* pop() {
    node<P>* front = this->front_;
    node<P>* next = front->next.load(std::memory_order_acquire);
    if (front == &this->nil_) {
      if (next == nullptr) return nullptr;
      this->front_ = front = next;
      next = front->next.load(std::memory_order_acquire);
    }
    if (next == nullptr) {
      if (front != this->back_.load(std::memory_order_acquire)) return nullptr;
      this->push(this->nil_);
      next = front->next.load(std::memory_order_acquire);
      if (next == nullptr) return nullptr;
    }
    this->front_ = next;
    return front;
  }
};

template <class P, class Queue>
struct two_late_producers {
  Queue queue;
  node<P> nodes[4];

  void before() { queue.push(nodes[0]); }
  void thread(unsigned index) {
    if (index == 0) {
      pop();
      pop();
    } else if (index == 1) {
      queue.push(nodes[1]);
      queue.push(nodes[2]);
    } else {
      queue.push(nodes[3]);
    }
  }
  void after() {
    while (pop()) {
    }
    for (const auto& n : nodes) require(n.popped, "no node is lost");
  }

 private:
  bool pop() {
    node<P>* const n = queue.pop();
    if (n == nullptr) return false;
    require(n >= nodes && n < nodes + 4, "every node popped was pushed");
    require(!n->popped, "no node is popped twice");
    return n->popped = true;
  }
};

}  // namespace stdexec_mpsc

template <class P>
struct stdexec_lost_node : stdexec_mpsc::two_late_producers<P, stdexec_mpsc::shipped<P>> {
  static constexpr auto about = scenario{
      .name = "known_bugs/stdexec_lost_node",
      .threads = 3,
      .claim = "a consumer that appends its stub a second time cuts off the nodes behind it",
      .expected = violation::assertion};
};

template <class P>
struct stdexec_lost_node_repaired : stdexec_mpsc::two_late_producers<P, stdexec_mpsc::repaired<P>> {
  static constexpr auto about =
      scenario{.name = "known_bugs/stdexec_lost_node_repaired",
               .threads = 3,
               .claim = "a stub that is appended only behind the last node loses nothing"};
};

using stdexec_mpsc_list = scenario_list<stdexec_lost_node, stdexec_lost_node_repaired>;

}  // namespace fencepost::models::known_bugs
