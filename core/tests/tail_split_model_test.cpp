// Random sequences of all operations of a split deque, against plain arithmetic.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <cstddef>
#include <memory>
#include <ostream>
#include <vector>

#include "fencepost/deque/tail_split.hpp"

namespace fencepost::tail_split_model {
namespace {

// Conditions are in extra parentheses: otherwise rapidcheck would decompose &&, and keep dangling
// references.

constexpr std::uint32_t capacity = 9;

// The deque as in the paper: positions, two flags, and for each task whether it is stolen.
struct reference {
  struct entry {
    int task;
    bool stolen = false;
    bool completed = false;
  };
  std::vector<entry> tasks;          // its size is the head
  std::vector<std::size_t> awaited;  // stolen tasks that pop() has reported, not yet retired
  std::size_t tail = 0, split = 0;
  bool allstolen = true, movesplit = false;
  int next_task = 0;

  void share_half(std::size_t end) {
    if (split == end) return;  // nothing to share: the request stays
    split += (end - split + 1) / 2;
    movesplit = false;
  }
  bool top_is_awaited() const { return !awaited.empty() && awaited.back() + 1 == tasks.size(); }

  void push() {
    tasks.push_back({next_task++});
    if (allstolen) {
      tail = tasks.size() - 1;
      split = tasks.size();
      allstolen = movesplit = false;
    } else if (movesplit) {
      share_half(tasks.size());
    }
  }
  void pop() {
    const std::size_t last = tasks.size() - 1;
    if (tasks[last].stolen) {
      awaited.push_back(last);
      allstolen = true;
      return;
    }
    if (split > last) split = (tail + split) / 2;
    if (movesplit) share_half(last);
    tasks.pop_back();
  }
  void retire() {
    tasks.pop_back();
    awaited.pop_back();
    allstolen = true;
  }
  steal_outcome steal() {
    if (allstolen) return steal_outcome::no_work;
    if (tail == split) {
      movesplit = true;
      return steal_outcome::no_work;
    }
    tasks[tail++].stolen = true;
    return tail < split ? steal_outcome::stolen : steal_outcome::stolen_last;
  }
};

template <template <class> class Word>
struct machine {
  using deque_type = tail_split<int, default_atomics, Word>;
  using slot = typename deque_type::slot;
  using command = rc::state::Command<reference, machine>;

  deque_type deque{capacity};
  std::vector<slot*> stolen = std::vector<slot*>(capacity);  // by position, for `complete`
  int thief = 0;

  struct push : command {
    void apply(reference& model) const override {
      if (model.tasks.size() < capacity) model.push();
    }
    void run(const reference& model, machine& self) const override {
      RC_ASSERT((self.deque.try_push(model.next_task) == (model.tasks.size() < capacity)));
      reference after = model;
      apply(after);
      RC_ASSERT((self.deque.size() == after.tasks.size()));
    }
    void show(std::ostream& out) const override { out << "push"; }
  };

  struct pop : command {
    void checkPreconditions(const reference& model) const override {
      RC_PRE((!model.tasks.empty() && !model.top_is_awaited()));
    }
    void apply(reference& model) const override { model.pop(); }
    void run(const reference& model, machine& self) const override {
      const auto& top = model.tasks.back();
      const slot* popped = self.deque.pop();
      RC_ASSERT(((popped == nullptr) == top.stolen));
      if (popped != nullptr) RC_ASSERT((popped->task.get() == top.task));
      RC_ASSERT((self.deque.size() == model.tasks.size() - (popped != nullptr ? 1 : 0)));
    }
    void show(std::ostream& out) const override { out << "pop"; }
  };

  struct retire : command {
    void checkPreconditions(const reference& model) const override {
      RC_PRE((model.top_is_awaited() && model.tasks.back().completed));
    }
    void apply(reference& model) const override { model.retire(); }
    void run(const reference& model, machine& self) const override {
      RC_ASSERT((self.deque.top().completed()));
      RC_ASSERT((self.deque.top().task.get() == model.tasks.back().task + 1000));
      self.deque.retire();
    }
    void show(std::ostream& out) const override { out << "retire"; }
  };

  struct steal : command {
    void apply(reference& model) const override { model.steal(); }
    void run(const reference& model, machine& self) const override {
      auto theft = self.deque.steal(&self.thief);
      for (int i = 0; theft.outcome == steal_outcome::retry && i < 1000; ++i) {
        theft = self.deque.steal(&self.thief);
      }
      reference after = model;
      RC_ASSERT((theft.outcome == after.steal()));
      RC_ASSERT(((theft.task != nullptr) == (after.tail != model.tail)));
      if (theft.task == nullptr) return;
      RC_ASSERT((theft.task->task.get() == model.tasks[model.tail].task));
      RC_ASSERT(((theft.task->thief() == &self.thief)));
      self.stolen[model.tail] = theft.task;
    }
    void show(std::ostream& out) const override { out << "steal"; }
  };

  // The thief of the first task that is not yet done completes it.
  struct complete : command {
    static std::size_t which(const reference& model) {
      std::size_t at = 0;
      while (at < model.tasks.size() && (!model.tasks[at].stolen || model.tasks[at].completed)) {
        ++at;
      }
      return at;
    }
    void checkPreconditions(const reference& model) const override {
      RC_PRE((which(model) < model.tasks.size()));
    }
    void apply(reference& model) const override { model.tasks[which(model)].completed = true; }
    void run(const reference& model, machine& self) const override {
      slot& done = *self.stolen[which(model)];
      RC_ASSERT((!done.completed()));
      done.task.set(done.task.get() + 1000);
      done.complete();
    }
    void show(std::ostream& out) const override { out << "complete"; }
  };

  struct answer : command {
    void apply(reference& model) const override {
      if (!model.allstolen && model.movesplit) model.share_half(model.tasks.size());
    }
    void run(const reference&, machine& self) const override { self.deque.answer(); }
    void show(std::ostream& out) const override { out << "answer"; }
  };

  struct share_all : command {
    void apply(reference& model) const override {
      if (!model.allstolen) model.split = model.tasks.size();
    }
    void run(const reference&, machine& self) const override { self.deque.share_all(); }
    void show(std::ostream& out) const override { out << "share_all"; }
  };

  static void agrees_with_the_reference() {
    machine self;
    rc::state::check(reference{}, self, [](const reference&) {
      return rc::gen::weightedElement<std::shared_ptr<const command>>({
          {6, std::make_shared<push>()},
          {4, std::make_shared<pop>()},
          {4, std::make_shared<steal>()},
          {3, std::make_shared<complete>()},
          {3, std::make_shared<retire>()},
          {1, std::make_shared<answer>()},
          {1, std::make_shared<share_all>()},
      });
    });
  }
};

RC_GTEST_PROP(tail_split_model, iso_word_agrees_with_the_reference, ()) {
  machine<iso_split_word>::agrees_with_the_reference();
}

#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
RC_GTEST_PROP(tail_split_model, lace_word_agrees_with_the_reference, ()) {
  machine<lace_split_word>::agrees_with_the_reference();
}
#endif

}  // namespace
}  // namespace fencepost::tail_split_model
