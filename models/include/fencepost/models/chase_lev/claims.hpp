// What the Chase-Lev deque claims, one scenario a claim.
//
// Items are numbers; thread 0 is the owner, the others are thieves. faults.hpp has what
// must be violated.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/models/chase_lev/specification.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace chase_lev_scenarios {

// A deque that counts how often each thread obtained each item. A row of the count is one
// thread's own, and plain memory: reading it is for after(). Deque is chase_lev<unsigned, P>, or
// what should do the same.
template <class Deque, unsigned Threads, unsigned Items>
class counted_items {
 public:
  explicit counted_items(unsigned capacity) : deque_{capacity} {}

  void push(unsigned item) { deque_.push(item); }
  bool try_push(unsigned item) { return deque_.try_push(item); }
  bool pop() {
    const std::optional<unsigned> item = deque_.pop();
    if (item) count(0, *item);
    return item.has_value();
  }
  steal_outcome steal(unsigned thread) {
    const auto theft = deque_.steal();
    if (theft.outcome == steal_outcome::stolen) count(thread, theft.item);
    return theft.outcome;
  }

  void pop_the_rest() {
    while (pop()) continue;
  }
  void each_once() {
    pop_the_rest();
    for (unsigned item = 0; item < Items; ++item) {
      require(times(item) != 0, "no item is lost");
      require(times(item) < 2, "no item is obtained twice");
    }
  }
  unsigned times(unsigned item) const {
    unsigned times = 0;
    for (const auto& row : obtained_) times += row[item];
    return times;
  }

 private:
  void count(unsigned thread, unsigned item) {
    require(item < Items, "every item obtained was pushed");
    if (item < Items) ++obtained_[thread][item];
  }

  Deque deque_;
  std::array<std::array<unsigned, Items>, Threads> obtained_{};
};

template <class P, unsigned Threads, unsigned Items>
using counted = counted_items<chase_lev<unsigned, P>, Threads, Items>;

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

// With one item taken at either end, the third thread is after the other one: a pop that takes item
// 1 as one of many, and a second thief that has seen the first one's success.
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

// The owner takes from both ends: its next pop starts from a front that it has not read.
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

// The owner pops the last item, maybe in vain, and goes on: back comes down to front and rises.
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

// Capacity 1: the second and the third push grow the buffer, while thieves hold the old ones.
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

// The push grows the full buffer, and the pops come down to what the thieves are after.
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

// The thief may read the back of before and the buffer of after.
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

// One slot, three rounds: while a slow thief holds item 0, the slot is used for items 1 and 2.
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

// What an item leads to, written before the item is pushed; whoever obtains it writes to it.
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

// Items 0 and 1 are there from the start, item 2 may come late, and the owner takes none.
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
      popped = deque.pop();  // of the last: by an exchange of front
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

// Call and return on a deque that does not keep stolen items: a task is a record of the owner's,
// which waits for its result there when it does not get the task back.
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

// A deque that writes down what is done to it, by thread. Deque is chase_lev, boxed_chase_lev, or
// what should do the same. Boxes are kept to the end: what is done twice is to be found in the
// history, not in the memory.
template <class Deque>
class recorded_deque {
 public:
  recorded_deque(unsigned capacity, unsigned threads)
      : deque_{capacity}, operations_{threads}, kept_(threads + std::size_t{1}) {}

  static constexpr unsigned owner = 0, main = history<stealing_deque>::main;
  using action = stealing_deque::action;

  void push(unsigned item, unsigned thread = owner) {
    operations_.run(thread, {action::push, item}, [&]() -> result {
      if constexpr (boxed) {
        deque_.emplace(item);
      } else {
        deque_.push(item);
      }
      return {};
    });
  }
  bool pop(unsigned thread = owner) {
    const result r = operations_.run(thread, {action::pop}, [&]() -> result {
      auto item = deque_.pop();
      if (!item) return {answer::empty};
      return {answer::item, number(thread, std::move(item))};
    });
    return r.kind == answer::item;
  }
  void steal(unsigned thread) {
    operations_.run(thread, {action::steal}, [&]() -> result {
      auto theft = deque_.steal();
      if (theft.outcome == steal_outcome::no_work) return {answer::empty};
      if (theft.outcome == steal_outcome::retry) return {answer::retry};
      return {answer::item, number(thread, std::move(theft.item))};
    });
  }
  void size(action as = action::size) {
    operations_.run(owner, {as}, [&]() -> result {
      return {answer::number, static_cast<unsigned>(deque_.size())};
    });
  }

  // At the end: what is left is a part of the history.
  void is_explained() {
    while (pop(main)) continue;
    require_linearizable(operations_);
  }

 private:
  using answer = stealing_deque::answer;
  using result = stealing_deque::result;
  using theft_item = decltype(Deque::theft::item);
  static constexpr bool boxed = requires(theft_item item) { item.get(); };

  unsigned number(unsigned, std::optional<unsigned> item) { return *item; }
  template <class Item>
  unsigned number(unsigned thread, std::unique_ptr<Item> box) {
    const unsigned value = box->get();
    kept_[thread == main ? 0 : thread + std::size_t{1}].push_back(std::move(box));
    return value;
  }

  Deque deque_;
  history<stealing_deque> operations_;
  std::vector<std::vector<std::conditional_t<boxed, theft_item, int>>> kept_;
};

// The owner goes through every state: it grows the buffer, takes the last item, and starts over.
template <class Deque>
struct owner_and_thief_recorded {
  recorded_deque<Deque> deque{1, 2};
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(1);
      deque.push(2);
      deque.pop();
      deque.size();
      deque.pop();
      deque.push(3);
      deque.pop();
    } else {
      for (unsigned attempt = 0; attempt < 3; ++attempt) deque.steal(index);
    }
  }
  void after() { deque.is_explained(); }
};
template <class Deque, unsigned Rounds = 1>
struct two_thieves_recorded {
  recorded_deque<Deque> deque{2, 3};
  void before() {
    deque.push(1, deque.main);
    deque.push(2, deque.main);
  }
  void thread(unsigned index) {
    for (unsigned round = 0; round < Rounds; ++round) {
      if (index != 0) {
        deque.steal(index);
      } else {
        if (round > 0) deque.push(round + 2);
        deque.pop();
        deque.size();
      }
    }
  }
  void after() { deque.is_explained(); }
};

template <class P>
struct linearizable : owner_and_thief_recorded<chase_lev<unsigned, P>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/linearizable",
               .threads = 2,
               .claim = "the results of an owner and a thief are linearizable"};
};
template <class P>
struct linearizable_with_two_thieves : two_thieves_recorded<chase_lev<unsigned, P>, 2> {
  static constexpr auto about =
      scenario{.name = "chase_lev/linearizable_with_two_thieves",
               .threads = 3,
               .claim = "the results of an owner and two thieves are linearizable"};
};

}  // namespace chase_lev_scenarios

using chase_lev_claims_list = scenario_list<
    chase_lev_scenarios::last_item_contended, chase_lev_scenarios::steal_against_pop,
    chase_lev_scenarios::pop_against_two_thieves, chase_lev_scenarios::owner_and_two_thieves,
    chase_lev_scenarios::owner_steals_too, chase_lev_scenarios::push_after_empty,
    chase_lev_scenarios::growth_against_two_thieves, chase_lev_scenarios::three_thieves,
    chase_lev_scenarios::new_buffer_old_back, chase_lev_scenarios::slot_comes_round,
    chase_lev_scenarios::item_is_whole, chase_lev_scenarios::published_by_pop,
    chase_lev_scenarios::empty_is_true, chase_lev_scenarios::retry_is_another_s_success,
    chase_lev_scenarios::pushes_turn_no_thief_away, chase_lev_scenarios::full_deque_loses_nothing,
    chase_lev_scenarios::result_comes_back, chase_lev_scenarios::linearizable,
    chase_lev_scenarios::linearizable_with_two_thieves>;

}  // namespace fencepost::models
