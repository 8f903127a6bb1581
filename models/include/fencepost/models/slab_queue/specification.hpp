// The sequential specification of a FIFO queue, for slab_queue and the injector.
//
// A queue with several consumers may search two locations in turn and find no item in either,
// although there was one at every moment: an item arrived at the first location after it was
// searched, and before one left the second. Its `empty` is two steps, look and found_none, and is
// weaker than "the queue was empty": none of the items that were there at the look is left. For a
// single consumer, whose queue is linearizable in this too, record pop and is_empty.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"

namespace fencepost::models {

struct fifo_queue {
  static constexpr std::string_view name = "a queue";

  enum class action : std::uint8_t { push, pop, is_empty, take_all, look, found_none };
  struct operation {
    action what;
    unsigned item = 0;  // push: the item; look, found_none: the unique name of the look
  };
  enum class answer : std::uint8_t { done, item, empty, not_empty, busy, items };
  struct result {
    answer kind = answer::done;
    unsigned item = 0;                 // pop
    std::vector<unsigned> items = {};  // take_all
    friend bool operator==(const result&, const result&) = default;
  };
  struct seen_items {
    unsigned look;
    std::vector<unsigned> items;
    friend auto operator<=>(const seen_items&, const seen_items&) = default;
  };

  std::vector<unsigned> items;  // oldest first
  std::vector<seen_items> looks = {};

  std::vector<possibility<fifo_queue>> apply(const operation& o) const {
    fifo_queue after = *this;
    switch (o.what) {
      case action::push: return after.pushed(o.item);
      case action::pop:
        if (items.empty()) return {{{answer::empty}, after}, {{answer::busy}, after}};
        after.items.erase(after.items.begin());
        return {{{answer::item, items.front()}, after}, {{answer::busy}, *this}};
      case action::is_empty: return {{{items.empty() ? answer::empty : answer::not_empty}, after}};
      case action::take_all: after.items.clear(); return {{{answer::items, 0, items}, after}};
      case action::look: after.looks.push_back({o.item, items}); return {{{}, after}};
      case action::found_none: return after.none_is_left(o.item);
    }
    return {};
  }

  static std::string text(const operation& o, const result* r) {
    constexpr std::string_view names[] = {"push", "pop", "is_empty", "take_all", "look", "found"};
    std::string call{names[static_cast<unsigned>(o.what)]};
    if (o.what == action::look) return call + "()";
    call += o.what == action::push ? "(" + std::to_string(o.item) + ")" : "()";
    if (r == nullptr || r->kind == answer::done) return call;
    if (r->kind == answer::empty) return call + " -> empty";
    if (r->kind == answer::not_empty) return call + " -> not empty";
    if (r->kind == answer::busy) return call + " -> busy";
    if (r->kind == answer::item) return call + " -> " + std::to_string(r->item);
    call += " ->";
    for (const unsigned item : r->items) call += " " + std::to_string(item);
    return call + (r->items.empty() ? " nothing" : "");
  }

  friend auto operator<=>(const fifo_queue&, const fifo_queue&) = default;

 private:
  // A push may report whether it found the queue empty, or only a part of the queue.
  std::vector<possibility<fifo_queue>> pushed(unsigned item) {
    const bool was_empty = items.empty();
    items.push_back(item);
    std::vector<possibility<fifo_queue>> all = {{{answer::done}, *this}, {{answer::empty}, *this}};
    if (!was_empty) all.push_back({{answer::not_empty}, *this});
    return all;
  }

  // Ends the look of this name.
  std::vector<possibility<fifo_queue>> none_is_left(unsigned look) {
    const auto at = std::ranges::find(looks, look, &seen_items::look);
    if (at == looks.end()) return {};
    const bool left = std::ranges::any_of(
        at->items, [this](unsigned item) { return std::ranges::find(items, item) != items.end(); });
    if (left) return {};
    looks.erase(at);
    return {{{answer::empty}, *this}};
  }
};

}  // namespace fencepost::models
