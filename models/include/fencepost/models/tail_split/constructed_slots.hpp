// Claims of the split deque about slots that are constructed only when a push needs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fencepost/deque/tail_split.hpp"
#include "fencepost/models/tail_split/split_deque_name.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::tail_split_scenarios {

// Slots that are constructed one at a time, when the deque needs them.
template <class Slot>
class one_by_one {
 public:
  explicit one_by_one(std::uint32_t capacity) : capacity_{capacity} {
    require(capacity <= most, "there is room for the slots");
  }
  one_by_one(const one_by_one&) = delete;
  one_by_one& operator=(const one_by_one&) = delete;
  ~one_by_one() { std::destroy_n(first(), made_); }
  Slot* first() noexcept { return reinterpret_cast<Slot*>(bytes_); }
  Slot* last_made() noexcept { return first() + made_; }
  std::uint32_t capacity() const noexcept { return capacity_; }
  bool extend() {
    if (made_ == capacity_) return false;
    std::construct_at(last_made());
    ++made_;
    return true;
  }

 private:
  static constexpr std::uint32_t most = 2;
  alignas(Slot) std::byte bytes_[most * sizeof(Slot)];
  std::uint32_t made_ = 0;
  std::uint32_t capacity_;
};

template <class P, template <class> class Word>
struct slots_made_late {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "slots_made_late">,
               .threads = 2,
               .claim = "a thief observes a slot that was just constructed, completely"};
  tail_split<unsigned, P, Word, one_by_one> deque{2};
  unsigned thefts = 0, pops = 0;
  void thread(unsigned index) {
    if (index != 0) {
      for (unsigned attempt = 0; attempt < 2; ++attempt) {
        if (auto* slot = deque.steal(this).task) {
          thefts += slot->task.get();
          slot->complete();
        }
      }
      return;
    }
    require(deque.try_push(1), "there is room for one");
    require(deque.try_push(10), "there is room for two");
    require(!deque.try_push(100), "there is no room for three");
    for (unsigned task = 0; task < 2; ++task) {
      if (auto* slot = deque.pop()) {
        pops += slot->task.get();
      } else {
        while (!deque.top().completed()) P::spin_pause();
        deque.retire();
      }
    }
  }
  void after() { require(thefts + pops == 11, "each task is obtained exactly once"); }
};

// The second slot is constructed while the first holds a stolen task. Since every task is stolen
// then, thieves request nothing: the push itself has to share.
template <class P, template <class> class Word>
struct made_above_stolen {
  static constexpr auto about =
      scenario{.name = scenario_name<component<Word>, "made_above_stolen">,
               .threads = 2,
               .claim = "a task in a slot constructed above stolen ones can be stolen at once",
               .spurious_failures = 0};
  tail_split<unsigned, P, Word, one_by_one> deque{2};
  unsigned thefts = 0;  // only the thief writes it
  bool steal() {
    auto* slot = deque.steal(this).task;
    if (slot == nullptr) return false;
    ++thefts;
    slot->complete();
    return true;
  }
  void before() {
    require(deque.try_push(1), "there is room for one");
    require(steal(), "the first can be stolen");
    require(deque.pop() == nullptr, "every task is stolen");
  }
  void thread(unsigned index) {
    if (index == 0) {
      require(deque.try_push(10), "there is room for two");
    } else {
      steal();
    }
  }
  void after() { require(thefts == 2 || steal(), "the second can be stolen"); }
};

}  // namespace fencepost::models::tail_split_scenarios
