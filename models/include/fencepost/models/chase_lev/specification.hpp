// The sequential specification of a work-stealing deque: chase_lev, boxed_chase_lev, private_deque.
//
// It is weaker than a deque's in two ways. A steal may return `retry` at any time, without any
// effect: that it does so only if another thread made progress cannot be stated for one operation
// (chase_lev/retry_is_another_s_success). And the owner's size() may count items that are stolen:
// it need not be the size at any one moment (exact_size; chase_lev/size_of_no_moment).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"

namespace fencepost::models {

struct stealing_deque {
  static constexpr std::string_view name = "a work-stealing deque";

  enum class action : std::uint8_t { push, pop, steal, size, exact_size };
  struct operation {
    action what;
    unsigned item = 0;  // push
  };
  enum class answer : std::uint8_t { done, item, empty, retry, number };
  struct result {
    answer kind = answer::done;
    unsigned value = 0;
    friend bool operator==(const result&, const result&) = default;
  };

  std::vector<unsigned> items = {};  // oldest first
  unsigned stolen = 0;

  std::vector<possibility<stealing_deque>> apply(const operation& o) const {
    stealing_deque after = *this;
    switch (o.what) {
      case action::push: after.items.push_back(o.item); return {{{}, after}};
      case action::size: return sizes(stolen);
      case action::exact_size: return sizes(0);
      case action::pop:
        if (items.empty()) return {{{answer::empty}, after}};
        after.items.pop_back();
        return {{{answer::item, items.back()}, after}};
      case action::steal: break;
    }
    if (items.empty()) return {{{answer::empty}, *this}, {{answer::retry}, *this}};
    after.items.erase(after.items.begin());
    ++after.stolen;
    return {{{answer::item, items.front()}, after}, {{answer::retry}, *this}};
  }

  static std::string text(const operation& o, const result* r) {
    constexpr std::string_view names[] = {"push", "pop", "steal", "size", "size"};
    std::string call{names[static_cast<unsigned>(o.what)]};
    call += o.what == action::push ? "(" + std::to_string(o.item) + ")" : "()";
    if (r == nullptr || r->kind == answer::done) return call;
    if (r->kind == answer::empty) return call + " -> empty";
    if (r->kind == answer::retry) return call + " -> retry";
    return call + " -> " + std::to_string(r->value);
  }

  friend auto operator<=>(const stealing_deque&, const stealing_deque&) = default;

 private:
  // Returns the size, plus any number up to `gone`.
  std::vector<possibility<stealing_deque>> sizes(unsigned gone) const {
    std::vector<possibility<stealing_deque>> all;
    for (unsigned more = 0; more <= gone; ++more)
      all.push_back({{answer::number, static_cast<unsigned>(items.size()) + more}, *this});
    return all;
  }
};

}  // namespace fencepost::models
