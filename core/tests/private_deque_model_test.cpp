// Random sequences of all operations of a deque that answers requests, with two thieves, against a
// std::deque.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <ostream>

#include "fencepost/deque/private_deque.hpp"

namespace fencepost::private_deque_model {
namespace {

constexpr int nobody = -1;

// At most one thief is asking; the last answer stays in the thief's request.
struct reference {
  std::deque<int> items;
  int next_item = 0;
  int asking = nobody;

  // The item that a poll gives away, if a thief asks and there is an item.
  std::optional<int> polled() {
    if (asking == nobody) return std::nullopt;
    asking = nobody;
    if (items.empty()) return std::nullopt;
    const int oldest = items.front();
    items.pop_front();
    return oldest;
  }
};

struct machine {
  using command = rc::state::Command<reference, machine>;
  using deque = private_deque<int>;

  deque items{1};
  std::array<deque::request, 2> requests;

  deque::request& of(int thief) { return requests[static_cast<std::size_t>(thief)]; }
  void agrees(const reference& model) {
    RC_ASSERT((items.size() == model.items.size()));
    RC_ASSERT((items.offers() == !model.items.empty()));
    if (model.asking != nobody) RC_ASSERT_FALSE(of(model.asking).answered());
  }

  struct push : command {
    void apply(reference& model) const override { model.items.push_back(model.next_item++); }
    void run(const reference& model, machine& self) const override {
      self.items.push(model.next_item);
      reference after = model;
      apply(after);
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "push"; }
  };

  struct pop : command {
    void apply(reference& model) const override {
      if (!model.items.empty()) model.items.pop_back();
    }
    void run(const reference& model, machine& self) const override {
      const std::optional<int> item = self.items.pop();
      RC_ASSERT((item.has_value() == !model.items.empty()));
      if (item) RC_ASSERT((*item == model.items.back()));
      reference after = model;
      apply(after);
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "pop"; }
  };

  struct poll : command {
    void apply(reference& model) const override { model.polled(); }
    void run(const reference& model, machine& self) const override {
      reference after = model;
      const std::optional<int> given = after.polled();
      RC_ASSERT((self.items.poll() == given.has_value()));
      if (model.asking != nobody) {
        const deque::request& answered = self.of(model.asking);
        RC_ASSERT(answered.answered());
        const auto result = answered.result();
        RC_ASSERT((result.outcome == (given ? steal_outcome::stolen : steal_outcome::no_work)));
        if (given) RC_ASSERT((result.item == *given));
      }
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "poll"; }
  };

  struct ask : command {
    int thief = *rc::gen::inRange(0, 2);
    void checkPreconditions(const reference& model) const override {
      RC_PRE((model.asking != thief));  // its request is posted
    }
    void apply(reference& model) const override {
      checkPreconditions(model);
      if (model.asking == nobody) model.asking = thief;
    }
    void run(const reference& model, machine& self) const override {
      RC_ASSERT((self.items.ask(self.of(thief)) == (model.asking == nobody)));
      reference after = model;
      apply(after);
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "ask of thief " << thief; }
  };

  struct withdraw : command {
    int thief = *rc::gen::inRange(0, 2);
    void apply(reference& model) const override {
      if (model.asking == thief) model.asking = nobody;
    }
    void run(const reference& model, machine& self) const override {
      RC_ASSERT((self.items.withdraw(self.of(thief)) == (model.asking == thief)));
      reference after = model;
      apply(after);
      self.agrees(after);
    }
    void show(std::ostream& out) const override { out << "withdraw of thief " << thief; }
  };
};

RC_GTEST_PROP(private_deque_model, agrees_with_the_reference, ()) {
  machine self;
  rc::state::check(reference{}, self,
                   rc::state::gen::execOneOfWithArgs<machine::push, machine::pop, machine::poll,
                                                     machine::ask, machine::withdraw>());
}

}  // namespace
}  // namespace fencepost::private_deque_model
