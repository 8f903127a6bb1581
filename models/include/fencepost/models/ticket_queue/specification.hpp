// The sequential specification of ticket_queue: a queue to which an item is added in two steps. It
// is assigned a place behind all others (draw), and then published. A pop takes the first item if
// that is published, and nothing otherwise, although later items may be published.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"

namespace fencepost::models {

struct queue_of_tickets {
  static constexpr std::string_view name = "a queue of tickets";

  enum class action : std::uint8_t { draw, publish, pop, is_ready, is_empty };
  struct operation {
    action what;
    unsigned item = 0;  // draw, publish: the item; no two are the same
  };
  enum class answer : std::uint8_t { done, item, nothing, yes, no };
  struct result {
    answer kind = answer::done;
    unsigned item = 0;  // pop
    friend bool operator==(const result&, const result&) = default;
  };
  struct place {
    unsigned item;
    bool published;
    friend auto operator<=>(const place&, const place&) = default;
  };

  std::vector<place> items;  // oldest first

  std::vector<possibility<queue_of_tickets>> apply(const operation& o) const {
    queue_of_tickets after = *this;
    const bool ready = !items.empty() && items.front().published;
    switch (o.what) {
      case action::draw: after.items.push_back({o.item, false}); return {{{}, after}};
      case action::publish:
        for (place& p : after.items) {
          if (p.item == o.item) p.published = true;
        }
        return {{{}, after}};
      case action::pop:
        if (!ready) return {{{answer::nothing}, after}};
        after.items.erase(after.items.begin());
        return {{{answer::item, items.front().item}, after}};
      case action::is_ready: return {{{ready ? answer::yes : answer::no}, after}};
      case action::is_empty: return {{{items.empty() ? answer::yes : answer::no}, after}};
    }
    return {};
  }

  static std::string text(const operation& o, const result* r) {
    constexpr std::string_view names[] = {"draw", "publish", "pop", "is_ready", "is_empty"};
    std::string call{names[static_cast<unsigned>(o.what)]};
    const bool of_item = o.what == action::draw || o.what == action::publish;
    call += of_item ? "(" + std::to_string(o.item) + ")" : "()";
    if (r == nullptr || r->kind == answer::done) return call;
    if (r->kind == answer::item) return call + " -> " + std::to_string(r->item);
    constexpr std::string_view answers[] = {"", "", "nothing", "yes", "no"};
    return call + " -> " + std::string{answers[static_cast<unsigned>(r->kind)]};
  }

  friend auto operator<=>(const queue_of_tickets&, const queue_of_tickets&) = default;
};

}  // namespace fencepost::models
