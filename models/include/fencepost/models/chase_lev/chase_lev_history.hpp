// A Chase-Lev deque that records its operations, and the claims that their results are
// linearizable.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/models/chase_lev/specification.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::chase_lev_scenarios {

// Records the operations of each thread. Deque is chase_lev, boxed_chase_lev, or anything with the
// same specification. Boxes are kept to the end: an item that is obtained twice should be found in
// the history, not as a memory error.
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

  // Called at the end: the remaining items become part of the history.
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

// The owner passes through every state: it grows the buffer, takes the last item, and starts over.
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

}  // namespace fencepost::models::chase_lev_scenarios
