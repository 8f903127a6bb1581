// libcds, issue 186 (August 2025): a Michael-Scott queue that advances its head by an acquire
// exchange, which must be release.
//
// The head points to a dummy; the node behind it is the first. A consumer that takes it makes it
// the next dummy, by an exchange of the head. The next consumer reaches that node through the head
// only. Its acquire load of the head synchronizes with nothing, since the exchange does not
// release. So it reads the link of a node whose construction does not happen before the read.
// Repair: the exchange releases. It need not acquire: what it uses was acquired before.
//
// Found in libcds by GenMC with Relinche; written from the report. Hazard pointers are left out:
// the nodes live as long as the queue.
#pragma once

#include <atomic>
#include <memory>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models::known_bugs {

namespace libcds_msqueue {

template <class P, std::memory_order Advance>
struct one_item_two_consumers {
  struct node {
    typename P::template atomic<node*> next{nullptr};
  };
  std::unique_ptr<node> dummy = std::make_unique<node>();
  std::unique_ptr<node> item;  // written by the producer, destroyed at the end
  typename P::template atomic<node*> head{dummy.get()};
  bool popped[2] = {};  // by consumer; only that consumer writes its element

  void thread(unsigned index) {
    if (index == 2) {
      item = std::make_unique<node>();
      dummy->next.store(item.get(), std::memory_order_release);
    } else {
      popped[index] = pop();
    }
  }
  bool pop() {
    node* first = head.load(std::memory_order_acquire);
    node* const next = first->next.load(std::memory_order_acquire);
    return next != nullptr &&
           head.compare_exchange_strong(first, next, Advance, std::memory_order_relaxed);
  }
  void after() { require(!popped[0] || !popped[1], "the item is popped exactly once"); }
};

}  // namespace libcds_msqueue

template <class P>
struct libcds_acquired_head : libcds_msqueue::one_item_two_consumers<P, std::memory_order_acquire> {
  static constexpr auto about = scenario{.name = "known_bugs/libcds_acquired_head",
                                         .threads = 3,
                                         .claim = "a second consumer reads an unpublished node",
                                         .expected = violation::data_race};
};

template <class P>
struct libcds_acquired_head_repaired
    : libcds_msqueue::one_item_two_consumers<P, std::memory_order_release> {
  static constexpr auto about = scenario{
      .name = "known_bugs/libcds_acquired_head_repaired",
      .threads = 3,
      .claim = "if the head is advanced with release, every consumer reads fully published nodes"};
};

using libcds_msqueue_list = scenario_list<libcds_acquired_head, libcds_acquired_head_repaired>;

}  // namespace fencepost::models::known_bugs
