// Random sequences of a Chase-Lev deque's operations, on one thread, against a std::deque.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <type_traits>

#include "fencepost/deque/boxed_chase_lev.hpp"
#include "fencepost/deque/chase_lev.hpp"

namespace fencepost::chase_lev_model {
namespace {

// Conditions are in extra parentheses: otherwise rapidcheck would decompose &&, and keep dangling
// references.

constexpr std::size_t limit = 16;

struct reference {
  std::deque<int> items;
  std::size_t capacity = 1;
  int next_item = 0;

  bool full() const { return items.size() == limit; }
  bool push() {
    if (full()) return false;
    if (items.size() == capacity) capacity *= 2;
    items.push_back(next_item++);
    return true;
  }
};

// The item that pop() or steal() of either deque returned, or nothing.
std::optional<int> value(std::optional<int> item) { return item; }
std::optional<int> value(const std::unique_ptr<int>& item) {
  return item ? std::optional<int>{*item} : std::nullopt;
}

template <class Deque>
struct machine {
  using command = rc::state::Command<reference, machine>;

  Deque deque{1, limit};

  void agrees(const reference& model) {
    RC_ASSERT((deque.size() == model.items.size()));
    RC_ASSERT((deque.capacity() == model.capacity));
  }

  struct push : command {
    void apply(reference& model) const override { model.push(); }
    void run(const reference& model, machine& self) const override {
      bool pushed = true;
      try {
        self.deque.push(int{model.next_item});
      } catch (const std::length_error&) {
        pushed = false;
      }
      reference after = model;
      RC_ASSERT((pushed == after.push()));
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "push"; }
  };

  struct pop : command {
    void apply(reference& model) const override {
      if (!model.items.empty()) model.items.pop_back();
    }
    void run(const reference& model, machine& self) const override {
      const std::optional<int> item = value(self.deque.pop());
      RC_ASSERT((item.has_value() == !model.items.empty()));
      if (item) RC_ASSERT((*item == model.items.back()));
      reference after = model;
      apply(after);
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "pop"; }
  };

  struct steal : command {
    void apply(reference& model) const override {
      if (!model.items.empty()) model.items.pop_front();
    }
    void run(const reference& model, machine& self) const override {
      const auto theft = self.deque.steal();
      if (model.items.empty()) {
        RC_ASSERT((theft.outcome == steal_outcome::no_work));
      } else {
        RC_ASSERT((theft.outcome == steal_outcome::stolen));
        if constexpr (std::is_same_v<decltype(theft.item), int>) {
          RC_ASSERT((theft.item == model.items.front()));
        } else {
          RC_ASSERT((value(theft.item) == model.items.front()));
        }
      }
      reference after = model;
      apply(after);
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "steal"; }
  };

  static void agrees_with_the_reference() {
    machine self;
    rc::state::check(reference{}, self, [](const reference&) {
      return rc::gen::weightedElement<std::shared_ptr<const command>>({
          {5, std::make_shared<push>()},
          {2, std::make_shared<pop>()},
          {2, std::make_shared<steal>()},
      });
    });
  }
};

RC_GTEST_PROP(chase_lev_model, a_deque_of_items_agrees_with_the_reference, ()) {
  machine<chase_lev<int>>::agrees_with_the_reference();
}

RC_GTEST_PROP(chase_lev_model, a_deque_of_boxes_agrees_with_the_reference, ()) {
  machine<boxed_chase_lev<int>>::agrees_with_the_reference();
}

}  // namespace
}  // namespace fencepost::chase_lev_model
