// Claims of the Chase-Lev deque about its circular buffer: it grows while thieves read the old one,
// and its slots are reused.
#pragma once

#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::chase_lev_scenarios {

// Capacity 1: the second and the third push grow the buffer while thieves hold the old ones.
template <class P>
struct growth_against_two_thieves {
  static constexpr auto about =
      scenario{.name = "chase_lev/growth_against_two_thieves",
               .threads = 3,
               .claim = "growth loses and duplicates no item, and thieves read only live buffers",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 3> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
      deque.push(2);
      deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The push grows the full buffer, and the pops reach the items that the thieves try to steal.
template <class P>
struct three_thieves {
  static constexpr auto about = scenario{
      .name = "chase_lev/three_thieves",
      .threads = 4,
      .claim = "an owner that grows and pops and three thieves obtain every item exactly once",
      .symmetric = {.first = 1, .count = 3}};
  counted<P, 4, 3> deque{2};
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(2);
      deque.pop();
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The thief may read the old back but the new buffer.
template <class P>
struct new_buffer_old_back {
  static constexpr auto about =
      scenario{.name = "chase_lev/new_buffer_old_back",
               .threads = 2,
               .claim = "a thief that reads a new buffer with an old back finds its item in it"};
  counted<P, 2, 2> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// One slot, three rounds: while a slow thief holds item 0, the slot is reused for items 1 and 2.
template <class P>
struct slot_comes_round {
  static constexpr auto about =
      scenario{.name = "chase_lev/slot_comes_round",
               .threads = 3,
               .claim = "a slot that is reused never yields an item of another round (ABA)",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 3> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      if (!deque.try_push(1)) {
        deque.pop();
        require(deque.try_push(1), "a pop leaves room");
      }
      deque.pop();
      require(deque.try_push(2), "an empty deque has room");
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

}  // namespace fencepost::models::chase_lev_scenarios
