// Claims of the Chase-Lev deque about a steal that obtains no item: the reason that it reports.
#pragma once

#include <array>

#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::chase_lev_scenarios {

// Items 0 and 1 are present from the start, item 2 may arrive late, and the owner takes none.
template <class P>
struct empty_is_true {
  static constexpr auto about =
      scenario{.name = "chase_lev/empty_is_true",
               .threads = 3,
               .claim = "steal reports empty only when every item pushed before has been obtained",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 3> deque{2};
  std::array<bool, 3> empty{};  // by thread
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(2);
      return;
    }
    for (unsigned attempt = 0; attempt < 2; ++attempt) {
      if (deque.steal(index) == steal_outcome::no_work) empty[index] = true;
    }
  }
  void after() {
    if (empty[1] || empty[2]) {
      require(deque.times(0) == 1 && deque.times(1) == 1, "the two items are stolen");
    }
    deque.each_once();
  }
};

template <class P>
struct retry_is_another_s_success {
  static constexpr auto about =
      scenario{.name = "chase_lev/retry_is_another_s_success",
               .threads = 3,
               .claim = "steal reports retry only when another thread obtained an item",
               .symmetric = {.first = 1, .count = 2}};
  counted<P, 3, 2> deque{2};
  bool popped = false;
  std::array<steal_outcome, 3> outcomes{};  // by thread
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
      popped = deque.pop();  // takes the last item by an exchange of front
    } else {
      outcomes[index] = deque.steal(index);
    }
  }
  void after() {
    unsigned successes = popped ? 1 : 0, retries = 0;
    for (unsigned thief = 1; thief < 3; ++thief) {
      if (outcomes[thief] == steal_outcome::stolen) ++successes;
      if (outcomes[thief] == steal_outcome::retry) ++retries;
    }
    require(retries == 0 || successes > 0, "another thread made progress");
    deque.each_once();
  }
};

// The pusher does not move the front, and no other thread does.
template <class P>
struct pushes_turn_no_thief_away {
  static constexpr auto about =
      scenario{.name = "chase_lev/pushes_turn_no_thief_away",
               .threads = 2,
               .claim = "steal never reports retry to the only thread that takes items"};
  counted<P, 2, 3> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 3; ++item) deque.push(item);
    } else {
      for (unsigned look = 0; look < 2; ++look)
        require(deque.steal(1) != steal_outcome::retry, "no other thread took an item");
    }
  }
  void after() { deque.each_once(); }
};

}  // namespace fencepost::models::chase_lev_scenarios
