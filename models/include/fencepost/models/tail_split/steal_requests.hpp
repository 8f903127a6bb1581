// Claims of the split deque about requests: a thief that finds all tasks private requests that one
// be shared.
#pragma once

#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/models/tail_split/counted_deque.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::tail_split_scenarios {

// Both tasks are private at first. A thief that has requested work may steal in vain once more,
// since the other thief was faster; but then a task has been shared in between.
template <class P, template <class> class Word>
struct request_is_answered {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "request_is_answered">,
               .threads = 3,
               .claim = "an owner with private tasks that answers requests forgets none",
               .symmetric = {.first = 1, .count = 2}};
  counted_deque<P, Word, 3, 2> deque;
  bool asked[3] = {};  // by thread; only that thread writes its element

  void before() {
    deque.unshare();
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.answer();
      deque.answer();
    } else {
      asked[index] = deque.steal(index) == steal_outcome::no_work;
    }
  }
  void after() {
    const bool any_asked = asked[1] || asked[2];
    const bool any_stole = !asked[1] || !asked[2];
    deque.answer();
    const steal_outcome result = deque.steal(1);
    require(!any_asked || any_stole || result != steal_outcome::no_work,
            "the requesting thief is answered");
    deque.pop();
    deque.pop();
    deque.each_once();
  }
};

// The thief may send its request while the only task is being taken back: it is answered with the
// next task.
template <class P, template <class> class Word>
struct request_waits_for_work {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "request_waits_for_work">,
               .threads = 2,
               .claim = "a request that finds nothing to share is answered by the next push"};
  counted_deque<P, Word, 2, 2> deque;
  bool asked = false;  // only the thief writes it, like its row of the count
  void before() {
    deque.unshare();
    deque.push(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.pop();
      deque.push(1);
    } else {
      asked = deque.steal(1) == steal_outcome::no_work;
    }
  }
  void after() {
    deque.answer();
    require(!asked || deque.steal(1) != steal_outcome::no_work, "the request was answered");
    deque.pop();
    deque.each_once();
  }
};

}  // namespace fencepost::models::tail_split_scenarios
