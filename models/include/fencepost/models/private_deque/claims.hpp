// The claims of the private deque, whose owner answers thieves' requests, one scenario each.
//
// Items are numbers; thread 0 is the owner, the others are thieves. The scenarios in faults.hpp
// must be violated.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>

#include "fencepost/deque/private_deque.hpp"
#include "fencepost/models/chase_lev/chase_lev_history.hpp"
#include "fencepost/models/chase_lev/counted_items.hpp"
#include "fencepost/models/chase_lev/whole_items.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace private_deque_scenarios {

// The owner polls at each push and pop. A thief checks for the answer once, with a request that is
// destroyed afterwards. It pauses as std_atomics does: P's pause would wait for a change.
template <class P>
struct polled : private_deque<unsigned, P> {
  using base = private_deque<unsigned, P>;
  using base::base;
  void push(unsigned item) {
    base::push(item);
    base::poll();
  }
  std::optional<unsigned> pop() {
    base::poll();
    return base::pop();
  }
  typename base::theft steal() {
    const auto mine = std::make_unique<typename base::request>();
    return base::steal(*mine, 1, [] { std_atomics::spin_pause(); });
  }
};

template <class P, unsigned Threads, unsigned Items>
using counted = chase_lev_scenarios::counted_items<polled<P>, Threads, Items>;

// Waits for the answer, and returns it.
template <class P>
auto await(const typename private_deque<unsigned, P>::request& mine) {
  while (!mine.answered()) P::spin_pause();
  return mine.result();
}

template <class P>
struct steal_against_pop {
  static constexpr auto about =
      scenario{.name = "private_deque/steal_against_pop",
               .threads = 2,
               .claim = "every item is obtained exactly once, by the owner or by the thief"};
  counted<P, 2, 3> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 3; ++item) deque.push(item);
      for (unsigned item = 0; item < 3; ++item) deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 2; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P>
struct two_thieves {
  static constexpr auto about =
      scenario{.name = "private_deque/two_thieves",
               .threads = 3,
               .claim = "an owner and two thieves obtain every item exactly once"};
  counted<P, 3, 3> deque{1};
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(2);
      deque.pop();
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.each_once(); }
};

template <class P>
struct item_is_whole {
  static constexpr auto about =
      scenario{.name = "private_deque/item_is_whole",
               .threads = 3,
               .claim = "a thief observes everything that an item points to"};
  chase_lev_scenarios::whole_items<polled<P>, P> deque{1};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.push(1);
    } else {
      deque.steal();
    }
  }
};

// The only poll comes before, between or after the thief's two steps.
template <class P>
struct withdrawal_against_answer {
  static constexpr auto about =
      scenario{.name = "private_deque/withdrawal_against_answer",
               .threads = 2,
               .claim = "a request is either withdrawn or answered, and the item is not lost"};
  private_deque<unsigned, P> deque;
  typename private_deque<unsigned, P>::request mine;
  bool gave = false, got = false;
  void before() { deque.push(7); }
  void thread(unsigned index) {
    if (index == 0) {
      gave = deque.poll();
    } else {
      require(deque.ask(mine), "no other thread asks");
      if (deque.withdraw(mine)) return;
      require(await<P>(mine).item == 7, "the item is the owner's");
      got = true;
    }
  }
  void after() {
    require(gave == got, "what the owner gives is received");
    require(deque.pop().has_value() == !got, "what is not given is still there");
  }
};

template <class P>
struct second_request {
  static constexpr auto about =
      scenario{.name = "private_deque/second_request",
               .threads = 2,
               .claim = "a thief that asks twice receives two items, each by its own answer"};
  private_deque<unsigned, P> deque;
  typename private_deque<unsigned, P>::request mine;
  void before() {
    deque.push(0);
    deque.push(1);
  }
  void thread(unsigned index) {
    for (unsigned item = 0; item < 2; ++item) {
      if (index == 0) {
        while (!deque.poll()) P::spin_pause();
      } else {
        require(deque.ask(mine), "the request before was answered");
        require(await<P>(mine).item == item, "the oldest item is given first");
      }
    }
  }
};

template <class P>
struct request_may_die {
  static constexpr auto about = scenario{
      .name = "private_deque/request_may_die",
      .threads = 2,
      .claim = "an owner does not touch a request after it has answered, or after a withdrawal"};
  private_deque<unsigned, P> deque;
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.poll();
    } else {
      auto mine = std::make_unique<typename private_deque<unsigned, P>::request>();
      require(deque.ask(*mine), "no other thread asks");
      if (!deque.withdraw(*mine)) {
        while (!mine->answered()) P::spin_pause();
      }
      mine.reset();
    }
  }
};

template <class P>
struct owner_answers {
  static constexpr auto about =
      scenario{.name = "private_deque/owner_answers",
               .threads = 2,
               .claim = "a thief that waits is given an item once an owner that has one polls"};
  private_deque<unsigned, P> deque;
  typename private_deque<unsigned, P>::request mine;
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(3);
      while (!deque.poll()) P::spin_pause();
    } else {
      do {
        require(deque.ask(mine), "no other thread asks");
      } while (await<P>(mine).outcome != steal_outcome::stolen);
      require(mine.result().item == 3, "the item is the owner's");
    }
  }
  void after() { require(deque.size() == 0, "the item is given"); }
};

template <class P>
struct owner_refuses {
  static constexpr auto about =
      scenario{.name = "private_deque/owner_refuses",
               .threads = 2,
               .claim = "a thief that waits is refused once an owner that has nothing polls"};
  private_deque<unsigned, P> deque;
  typename private_deque<unsigned, P>::request mine;
  typename P::template atomic<bool> refused{false};
  void thread(unsigned index) {
    if (index == 0) {
      while (!refused.load(std::memory_order_relaxed)) {
        deque.poll();
        P::spin_pause();
      }
    } else {
      require(deque.ask(mine), "no other thread asks");
      require(await<P>(mine).outcome == steal_outcome::no_work, "there is no item");
      refused.store(true, std::memory_order_relaxed);
    }
  }
};

// Each worker owns a deque of two items, and asks the other for one. With `Polls`, a worker answers
// while it waits.
template <class P, bool Polls>
struct each_asks_the_other {
  std::array<private_deque<unsigned, P>, 2> deques;
  std::array<typename private_deque<unsigned, P>::request, 2> requests;
  void before() {
    for (auto& deque : deques) {
      deque.push(0);
      deque.push(1);
    }
  }
  void thread(unsigned index) {
    auto& mine = requests[index];
    require(deques[1 - index].ask(mine), "no other thread asks");
    bool gave = false;
    while (!mine.answered()) {
      if (Polls && !gave) gave = deques[index].poll();
      P::spin_pause();
    }
    require(mine.result().item == 0, "the oldest item is given");
    while (!gave) {
      gave = deques[index].poll();
      P::spin_pause();
    }
  }
};
template <class P>
struct workers_ask_each_other : each_asks_the_other<P, true> {
  static constexpr auto about =
      scenario{.name = "private_deque/workers_ask_each_other",
               .threads = 2,
               .claim = "two workers that poll while they wait for each other are both answered"};
};

template <class P>
struct linearizable : chase_lev_scenarios::owner_and_thief_recorded<polled<P>> {
  static constexpr auto about =
      scenario{.name = "private_deque/linearizable",
               .threads = 2,
               .claim = "the results of an owner and a thief are linearizable"};
};
// size(), too, returns a size that the deque had at some moment.
template <class P>
struct linearizable_with_two_thieves {
  static constexpr auto about =
      scenario{.name = "private_deque/linearizable_with_two_thieves",
               .threads = 3,
               .claim = "the results of an owner and two thieves are linearizable, size() too"};
  using recorded = chase_lev_scenarios::recorded_deque<polled<P>>;
  recorded deque{2, 3};
  void before() {
    deque.push(1, deque.main);
    deque.push(2, deque.main);
  }
  void thread(unsigned index) {
    if (index != 0) return deque.steal(index);
    deque.push(3);
    deque.pop();
    deque.size(recorded::action::exact_size);
  }
  void after() { deque.is_explained(); }
};

}  // namespace private_deque_scenarios

using private_deque_claims_list = scenario_list<
    private_deque_scenarios::steal_against_pop, private_deque_scenarios::two_thieves,
    private_deque_scenarios::item_is_whole, private_deque_scenarios::withdrawal_against_answer,
    private_deque_scenarios::second_request, private_deque_scenarios::request_may_die,
    private_deque_scenarios::owner_answers, private_deque_scenarios::owner_refuses,
    private_deque_scenarios::workers_ask_each_other, private_deque_scenarios::linearizable,
    private_deque_scenarios::linearizable_with_two_thieves>;

}  // namespace fencepost::models
