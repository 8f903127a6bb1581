// Random sequences of all operations of a scratch arena, against a vector of blocks.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <ostream>
#include <vector>

#include "fencepost/memory/scratch_arena.hpp"

namespace fencepost::scratch_arena_model {
namespace {

// Conditions are in extra parentheses: otherwise rapidcheck would decompose &&, and keep dangling
// references.

constexpr std::size_t page = std::size_t{64} << 10;  // the largest page size there is
constexpr std::size_t reserve = 16 * page;
constexpr std::size_t band = 2 * page;

// The arena as offsets from its base.
struct reference {
  struct block {
    std::size_t begin, size;
    unsigned char contents;
  };
  struct frame {
    std::size_t entry;               // where it begins
    std::vector<std::size_t> marks;  // possible targets of a reset, lowest first
  };
  std::vector<block> blocks;
  std::vector<frame> frames{{0, {0}}};
  std::size_t top = 0, leaks = 0;
  unsigned char next = 1;

  // Where a block would begin; past the reservation if there is no room.
  std::size_t place(std::size_t size, std::size_t align) const {
    const std::size_t begin = (top + align - 1) / align * align;
    return begin + size <= reserve ? begin : reserve + 1;
  }
  void reset(std::size_t to) {
    while (!blocks.empty() && blocks.back().begin >= to) blocks.pop_back();
    auto& marks = frames.back().marks;
    while (marks.back() > to) marks.pop_back();
    top = to;
  }
  void idle() {
    if (top == frames.back().entry) return;
    ++leaks;
    reset(frames.back().entry);
  }
};

struct machine {
  scratch_arena arena;
  std::byte* base = static_cast<std::byte*>(arena.allocate(0));
  std::vector<std::vector<scratch_mark>> marks{{arena.mark()}};  // as in the reference
  std::vector<scratch_mark> outer;                               // what enter() returned
  std::size_t warnings = 0;

  machine() : arena{options()} {}

  scratch_options options() {
    scratch_options result;
    result.reserve = reserve;
    result.band = band;
    result.on_leak = [this](const scratch_leak&) { ++warnings; };
    return result;
  }

  // Checks what must hold after every command.
  void agrees_with(const reference& model) const {
    RC_ASSERT((arena.used() == model.top));
    RC_ASSERT((arena.leaks() == model.leaks));
    RC_ASSERT((warnings == (model.leaks == 0 ? 0u : 1u)));
    RC_ASSERT((arena.used() <= arena.committed() && arena.committed() <= arena.reserved()));
    for (const auto& block : model.blocks) RC_ASSERT((holds(block)));
  }

 private:
  bool holds(const reference::block& block) const {
    const auto whole = [&](std::size_t i) {
      return base[block.begin + i] == std::byte{block.contents};
    };
    for (std::size_t i = 0; i < block.size; i += 61) {
      if (!whole(i)) return false;
    }
    return block.size == 0 || whole(block.size - 1);
  }
};

using command = rc::state::Command<reference, machine>;

struct allocate : command {
  std::size_t size = *rc::gen::oneOf(
      rc::gen::inRange<std::size_t>(0, 200), rc::gen::inRange<std::size_t>(page, 3 * page),
      rc::gen::element<std::size_t>(4096, page, band, reserve, reserve + 1, ~std::size_t{0}));
  std::size_t align = std::size_t{1} << *rc::gen::inRange(0, 13);  // at most a page, like the base

  void apply(reference& model) const override {
    const std::size_t begin =
        model.place(std::min(size, 2 * reserve), std::max<std::size_t>(align, 16));
    if (begin > reserve) return;
    model.blocks.push_back({begin, size, model.next++});
    model.top = (begin + size + 15) / 16 * 16;
  }
  void run(const reference& model, machine& self) const override {
    reference after = model;
    apply(after);
    const bool fits = after.blocks.size() > model.blocks.size();
    void* const at = self.arena.try_allocate(size, align);
    RC_ASSERT(((at != nullptr) == fits));
    if (fits) {
      const auto& block = after.blocks.back();
      RC_ASSERT((at == self.base + block.begin));
      RC_ASSERT((reinterpret_cast<std::uintptr_t>(at) % align == 0));
      std::memset(at, block.contents, size);
    } else {
      RC_ASSERT_THROWS_AS(static_cast<void>(self.arena.allocate(size, align)), scratch_error);
    }
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "allocate " << size << " at " << align; }
};

struct mark : command {
  void apply(reference& model) const override { model.frames.back().marks.push_back(model.top); }
  void run(const reference& model, machine& self) const override {
    self.marks.back().push_back(self.arena.mark());
    self.agrees_with(model);
  }
  void show(std::ostream& out) const override { out << "mark"; }
};

// Resets to any mark of the running frame, possibly past inner ones.
struct reset : command {
  unsigned which = *rc::gen::inRange(0u, 4u);

  std::size_t index(const reference& model) const {
    const std::size_t marks = model.frames.back().marks.size();
    return marks - 1 - std::min<std::size_t>(which, marks - 1);
  }
  void apply(reference& model) const override {
    model.reset(model.frames.back().marks[index(model)]);
  }
  void run(const reference& model, machine& self) const override {
    self.arena.reset(self.marks.back()[index(model)]);
    reference after = model;
    apply(after);
    self.marks.back().resize(after.frames.back().marks.size(), self.arena.mark());
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "reset to mark " << which << " back"; }
};

struct enter : command {
  void apply(reference& model) const override { model.frames.push_back({model.top, {model.top}}); }
  void run(const reference& model, machine& self) const override {
    self.outer.push_back(self.arena.enter());
    self.marks.push_back({self.arena.mark()});
    self.agrees_with(model);
  }
  void show(std::ostream& out) const override { out << "enter"; }
};

struct leave : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((model.frames.size() > 1));
  }
  void apply(reference& model) const override {
    model.idle();
    model.frames.pop_back();
  }
  void run(const reference& model, machine& self) const override {
    self.arena.leave(self.outer.back());
    self.outer.pop_back();
    self.marks.pop_back();
    reference after = model;
    apply(after);
    self.agrees_with(after);
  }
  void show(std::ostream& out) const override { out << "leave"; }
};

struct idle : command {
  void apply(reference& model) const override { model.idle(); }
  void run(const reference& model, machine& self) const override {
    self.arena.idle();
    reference after = model;
    apply(after);
    self.marks.back().resize(after.frames.back().marks.size(), self.arena.mark());
    self.agrees_with(after);
    RC_ASSERT((self.arena.committed() <= after.top + band + page));
  }
  void show(std::ostream& out) const override { out << "idle"; }
};

struct trim : command {
  void apply(reference&) const override {}
  void run(const reference& model, machine& self) const override {
    const std::size_t before = self.arena.committed();
    RC_ASSERT((before - self.arena.trim() == self.arena.committed()));
    RC_ASSERT((self.arena.trim() == 0));
    RC_ASSERT((self.arena.committed() <= model.top + band + page));
    self.agrees_with(model);
  }
  void show(std::ostream& out) const override { out << "trim"; }
};

RC_GTEST_PROP(scratch_arena_model, agrees_with_a_vector_of_blocks, ()) {
  machine self;
  rc::state::check(reference{}, self, [](const reference&) {
    return rc::gen::weightedOneOf<std::shared_ptr<const command>>({
        {8, rc::gen::exec([] { return std::shared_ptr<const command>(new allocate); })},
        {4, rc::gen::exec([] { return std::shared_ptr<const command>(new mark); })},
        {4, rc::gen::exec([] { return std::shared_ptr<const command>(new reset); })},
        {2, rc::gen::exec([] { return std::shared_ptr<const command>(new enter); })},
        {2, rc::gen::exec([] { return std::shared_ptr<const command>(new leave); })},
        {1, rc::gen::exec([] { return std::shared_ptr<const command>(new idle); })},
        {1, rc::gen::exec([] { return std::shared_ptr<const command>(new trim); })},
    });
  });
}

}  // namespace
}  // namespace fencepost::scratch_arena_model
