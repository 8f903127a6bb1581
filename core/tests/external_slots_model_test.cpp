// Random sequences of submissions and scans, against a set.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <ostream>
#include <set>

#include "fencepost/queue/external_slots.hpp"

namespace fencepost::external_slots_model {
namespace {

constexpr std::uint32_t slots_of_table = 5;

struct reference {
  std::size_t waiting = 0;
  int next = 0;  // number of the next submission
};

struct machine {
  struct record {
    int number;
  };
  using command = rc::state::Command<reference, machine>;

  external_slots<record, default_atomics, slots_of_table> slots;
  std::deque<record> records;  // by number; their addresses stay
  std::set<int> waiting;

  struct submit : command {
    void apply(reference& model) const override {
      if (model.waiting < slots_of_table) ++model.waiting;
      ++model.next;
    }
    void run(const reference& model, machine& self) const override {
      self.records.push_back({model.next});
      const bool room = model.waiting < slots_of_table;
      RC_ASSERT((self.slots.try_submit(self.records.back()) == room));
      if (room) self.waiting.insert(model.next);
      RC_ASSERT(self.slots.any());
    }
    void show(std::ostream& out) const override { out << "submit"; }
  };

  struct take : command {
    std::uint32_t begin = *rc::gen::arbitrary<std::uint32_t>();

    void apply(reference& model) const override {
      if (model.waiting > 0) --model.waiting;
    }
    void run(const reference& model, machine& self) const override {
      const record* taken = self.slots.take(begin);
      RC_ASSERT(((taken != nullptr) == (model.waiting > 0)));
      if (taken != nullptr) RC_ASSERT((self.waiting.erase(taken->number) == 1));
      RC_ASSERT((self.slots.any() == !self.waiting.empty()));
    }
    void show(std::ostream& out) const override { out << "take from " << begin; }
  };
};

RC_GTEST_PROP(external_slots_model, agrees_with_the_reference, ()) {
  machine self;
  rc::state::check(reference{}, self,
                   rc::state::gen::execOneOfWithArgs<machine::submit, machine::take>());
}

}  // namespace
}  // namespace fencepost::external_slots_model
