// Claims of the Chase-Lev deque about an owner and thieves that compete for items: each item is
// obtained exactly once.
#pragma once

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::chase_lev_scenarios {

template <class P>
struct steal_against_pop {
  static constexpr auto about =
      scenario{.name = "chase_lev/steal_against_pop",
               .threads = 2,
               .claim = "every item is obtained exactly once, by the owner or by the thief"};
  counted<P, 2, 5> deque{8};
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 5; ++item) deque.push(item);
      for (unsigned item = 0; item < 5; ++item) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 4; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P>
struct last_item_contended {
  static constexpr auto about =
      scenario{.name = "chase_lev/last_item_contended",
               .threads = 3,
               .claim = "the last item goes to exactly one of the owner and two thieves",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 1> deque{1};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// One thief takes item 0. The pop may still observe item 0 below item 1, and take item 1 without an
// exchange, while the second thief, which has observed the first one's success, steals it too.
template <class Deque>
struct two_thieves_and_a_pop {
  counted_items<Deque, 3, 2> deque{2};
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P>
struct pop_against_two_thieves : two_thieves_and_a_pop<chase_lev<unsigned, P>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/pop_against_two_thieves",
               .threads = 3,
               .claim = "an item that the owner pops without an exchange is never stolen too",
               .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct owner_and_two_thieves {
  static constexpr auto about =
      scenario{.name = "chase_lev/owner_and_two_thieves",
               .threads = 3,
               .claim = "an owner and two thieves obtain every item exactly once",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 4> deque{4};
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 4; ++item) deque.push(item);
      for (unsigned item = 0; item < 4; ++item) deque.pop();
    } else {
      deque.steal(index);
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The owner takes from both ends: its next pop begins with a front that it has not read.
template <class P>
struct owner_steals_too {
  static constexpr auto about =
      scenario{.name = "chase_lev/owner_steals_too",
               .threads = 3,
               .claim = "items are obtained exactly once although the owner steals from its deque",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 3> deque{2};
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.steal(0);
      require(deque.try_push(2), "there is room when an item is gone, whoever has it");
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

// The owner tries to pop the last item, and pushes again: back falls to front and rises.
template <class P>
struct push_after_empty {
  static constexpr auto about =
      scenario{.name = "chase_lev/push_after_empty",
               .threads = 3,
               .claim = "a deque that has been empty, or observed empty, works like any other",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 2> deque{1};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.pop();
      deque.push(1);
      deque.pop();
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P>
struct full_deque_loses_nothing {
  static constexpr auto about =
      scenario{.name = "chase_lev/full_deque_loses_nothing",
               .threads = 3,
               .claim = "a full deque refuses an item and keeps those it has",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 3> deque{2};
  bool pushed = false;
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      pushed = deque.try_push(2);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() {
    if (!pushed) require(deque.try_push(2), "a pop makes room");
    deque.each_once();
  }
};

}  // namespace fencepost::models::chase_lev_scenarios
