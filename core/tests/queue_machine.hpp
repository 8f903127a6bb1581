// Random sequences of all operations of a queue, against a std::deque.
#pragma once

#include <rapidcheck.h>
#include <rapidcheck/state.h>

#include <deque>
#include <memory>
#include <ostream>
#include <utility>

namespace fencepost {

// Conditions are in extra parentheses: otherwise rapidcheck would decompose &&, and keep dangling
// references.

struct reference {
  std::deque<int> items;
  int next = 0;
};

template <class Queue>
struct machine {
  using command = rc::state::Command<reference, machine>;

  Queue queue;

  // In a queue without ready(), every item is ready.
  bool ready() {
    if constexpr (requires { queue.ready(); }) return queue.ready();
    return !queue.empty();
  }

  struct push : command {
    void apply(reference& model) const override { model.items.push_back(model.next++); }
    void run(const reference& model, machine& self) const override {
      auto item = std::make_unique<int>(model.next);
      RC_ASSERT((self.queue.try_push(std::move(item))));
      RC_ASSERT((item == nullptr));
      RC_ASSERT((!self.queue.empty() && self.ready()));
    }
    void show(std::ostream& out) const override { out << "push"; }
  };

  struct pop : command {
    void apply(reference& model) const override {
      if (!model.items.empty()) model.items.pop_front();
    }
    void run(const reference& model, machine& self) const override {
      const auto item = self.queue.pop();
      RC_ASSERT((item.has_value() == !model.items.empty()));
      if (item) RC_ASSERT((**item == model.items.front()));
    }
    void show(std::ostream& out) const override { out << "pop"; }
  };

  // Pops as many items as there are.
  struct pop_all : command {
    void apply(reference& model) const override { model.items.clear(); }
    void run(const reference& model, machine& self) const override {
      for (const int expected : model.items) {
        const auto item = self.queue.pop();
        RC_ASSERT((item.has_value() && **item == expected));
      }
      RC_ASSERT((self.queue.empty() && !self.queue.pop()));
    }
    void show(std::ostream& out) const override { out << "pop_all"; }
  };

  struct is_empty : command {
    void run(const reference& model, machine& self) const override {
      RC_ASSERT((self.queue.empty() == model.items.empty()));
      RC_ASSERT((self.ready() == !model.items.empty()));
    }
    void show(std::ostream& out) const override { out << "is_empty"; }
  };

  static void agrees_with_the_reference() {
    machine self;
    rc::state::check(reference{}, self, [](const reference&) {
      return rc::gen::weightedElement<std::shared_ptr<const command>>({
          {8, std::make_shared<push>()},
          {6, std::make_shared<pop>()},
          {1, std::make_shared<pop_all>()},
          {2, std::make_shared<is_empty>()},
      });
    });
  }
};

}  // namespace fencepost
