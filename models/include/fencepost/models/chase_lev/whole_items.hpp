// Claims of the Chase-Lev deque about the data that an item points to: the thread that obtains the
// item observes the data, and the owner of a stolen item observes its result.
#pragma once

#include <array>
#include <atomic>

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::chase_lev_scenarios {

// The data of an item, written before the item is pushed; the thread that obtains it writes to it.
template <class Deque, class P>
class whole_items {
 public:
  explicit whole_items(unsigned capacity) : deque_{capacity} {}

  void push(unsigned item) {
    records_[item].set(item + 7);
    deque_.push(item);
  }
  void pop() {
    if (const auto item = deque_.pop()) read(*item);
  }
  void steal() {
    const auto theft = deque_.steal();
    if (theft.outcome == steal_outcome::stolen) read(theft.item);
  }

 private:
  void read(unsigned item) {
    require(records_[item].get() == item + 7, "everything an item points to is visible");
    records_[item].set(0);
  }

  Deque deque_;
  std::array<typename P::template plain<unsigned>, 2> records_{};
};

template <class P>
struct item_is_whole {
  static constexpr auto about = scenario{
      .name = "chase_lev/item_is_whole",
      .threads = 3,
      .claim = "a thief observes everything an item points to, read from the old buffer or the new",
      .symmetric = {.first = 1, .count = 2}};
  whole_items<chase_lev<unsigned, P>, P> deque{1};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.push(1);
    } else {
      deque.steal();
    }
  }
};

// The thief may learn of item 0 from the back that the pop of item 1 has stored.
template <class Deque, class P>
struct two_pushes_a_pop_and_a_thief {
  whole_items<Deque, P> deque{2};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(0);
      deque.push(1);
      deque.pop();
    } else {
      deque.steal();
    }
  }
};

template <class P>
struct published_by_pop : two_pushes_a_pop_and_a_thief<chase_lev<unsigned, P>, P> {
  static constexpr auto about = scenario{
      .name = "chase_lev/published_by_pop",
      .threads = 2,
      .claim = "a thief that reads the back stored by a pop obtains a fully published item"};
};

// Call and return on a deque that does not keep stolen items: a task is a record of the owner,
// which waits in that record for the result if it does not get the task back.
template <class P>
struct result_comes_back {
  static constexpr auto about =
      scenario{.name = "chase_lev/result_comes_back",
               .threads = 3,
               .claim = "the owner of a stolen item finds the result in the item's own record",
               .symmetric = {.first = 1, .count = 2}};
  struct task {
    typename P::template plain<unsigned> number{0};
    typename P::template atomic<bool> done{false};
  };
  chase_lev<task*, P> deque{1};
  void thread(unsigned index) {
    if (index != 0) {
      if (auto theft = deque.steal(); theft.outcome == steal_outcome::stolen) run(*theft.item);
      return;
    }
    task own;  // dies when this returns
    own.number.set(20);
    deque.push(&own);
    if (deque.pop()) {
      run(own);
    } else {
      // Acquire: pairs with the release in run().
      while (!own.done.load(std::memory_order_acquire)) P::spin_pause();
    }
    require(own.number.get() == 21, "the result is visible");
  }
  static void run(task& t) {
    t.number.set(t.number.get() + 1);
    t.done.store(true, std::memory_order_release);
  }
};

}  // namespace fencepost::models::chase_lev_scenarios
