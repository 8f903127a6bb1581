// Random sequences of operations on an event count, against plain arithmetic.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <ostream>

#include "fencepost/sync/event_count.hpp"

namespace fencepost::event_count_model {
namespace {

// Unused tickets, each with whether there was a notify since it was taken.
struct reference {
  std::deque<bool> notified;
  void notify() {
    for (bool& ticket : notified) ticket = true;
  }
};

struct machine {
  using command = rc::state::Command<reference, machine>;

  event_count<> idle;
  std::deque<event_count<>::ticket> tickets;

  struct prepare : command {
    void apply(reference& model) const override { model.notified.push_back(false); }
    void run(const reference& model, machine& self) const override {
      self.tickets.push_back(self.idle.prepare_wait());
      RC_ASSERT((self.idle.sleepers() == model.notified.size() + 1));
    }
    void show(std::ostream& out) const override { out << "prepare"; }
  };

  struct cancel : command {
    void checkPreconditions(const reference& model) const override {
      RC_PRE((!model.notified.empty()));
    }
    void apply(reference& model) const override { model.notified.pop_back(); }
    void run(const reference& model, machine& self) const override {
      self.tickets.pop_back();
      self.idle.cancel_wait();
      RC_ASSERT((self.idle.sleepers() == model.notified.size() - 1));
    }
    void show(std::ostream& out) const override { out << "cancel"; }
  };

  // A wait with a deadline that has passed: it times out, unless there was a notify.
  struct wait : command {
    void checkPreconditions(const reference& model) const override {
      RC_PRE((!model.notified.empty()));
    }
    void apply(reference& model) const override { model.notified.pop_front(); }
    void run(const reference& model, machine& self) const override {
      const auto ticket = self.tickets.front();
      self.tickets.pop_front();
      RC_ASSERT((self.idle.wait(ticket, deadline{}) == model.notified.front()));
      RC_ASSERT((self.idle.sleepers() == model.notified.size() - 1));
    }
    void show(std::ostream& out) const override { out << "wait"; }
  };

  struct notify_one : command {
    void apply(reference& model) const override { model.notify(); }
    void run(const reference&, machine& self) const override { self.idle.notify_one(); }
    void show(std::ostream& out) const override { out << "notify_one"; }
  };

  struct notify_all : command {
    void apply(reference& model) const override { model.notify(); }
    void run(const reference&, machine& self) const override { self.idle.notify_all(); }
    void show(std::ostream& out) const override { out << "notify_all"; }
  };
};

RC_GTEST_PROP(event_count_model, agrees_with_the_reference, ()) {
  machine self;
  rc::state::check(
      reference{}, self,
      rc::state::gen::execOneOfWithArgs<machine::prepare, machine::cancel, machine::wait,
                                        machine::notify_one, machine::notify_all>());
}

}  // namespace
}  // namespace fencepost::event_count_model
