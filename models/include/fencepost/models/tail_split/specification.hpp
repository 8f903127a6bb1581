// The sequential specification of a split deque: tail_split.
//
// A stolen task stays in its slot until its owner retires it, and takes up room until then. What
// thieves are told is weaker than one would wish: `no_work` at any time, because private tasks
// cannot be stolen, and a thief may read an old split; `busy` at any time.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"

namespace fencepost::models {

struct split_deque {
  static constexpr std::string_view name = "a split deque";

  enum class action : std::uint8_t { push, pop, retire, steal };
  struct operation {
    action what;
    unsigned task = 0;  // push
  };
  // stolen: of pop, the task on top is stolen; of steal, it stole one, and more were shared.
  // stolen_last: it stole the last shared one.
  enum class answer : std::uint8_t { done, full, task, gone, stolen, stolen_last, no_work, busy };
  struct result {
    answer kind = answer::done;
    unsigned task = 0;
    friend bool operator==(const result&, const result&) = default;
  };

  std::vector<unsigned> tasks = {};  // those that are not stolen, oldest first
  unsigned stolen = 0;               // the number of stolen tasks below them
  unsigned capacity = 0;

  std::vector<possibility<split_deque>> apply(const operation& o) const {
    split_deque after = *this;
    switch (o.what) {
      case action::push:
        if (stolen + tasks.size() == capacity) return {{{answer::full}, after}};
        after.tasks.push_back(o.task);
        return {{{}, after}};
      case action::pop:
        if (tasks.empty()) return {{{answer::gone}, after}};
        after.tasks.pop_back();
        return {{{answer::task, tasks.back()}, after}};
      case action::retire:
        if (!tasks.empty() || stolen == 0) return {};
        --after.stolen;
        return {{{}, after}};
      case action::steal: break;
    }
    std::vector<possibility<split_deque>> all = {{{answer::no_work}, *this},
                                                 {{answer::busy}, *this}};
    if (tasks.empty()) return all;
    after.tasks.erase(after.tasks.begin());
    ++after.stolen;
    all.push_back({{answer::stolen_last, tasks.front()}, after});
    if (!after.tasks.empty()) all.push_back({{answer::stolen, tasks.front()}, after});
    return all;
  }

  static std::string text(const operation& o, const result* r) {
    constexpr std::string_view names[] = {"push", "pop", "retire", "steal"};
    std::string call{names[static_cast<unsigned>(o.what)]};
    call += o.what == action::push ? "(" + std::to_string(o.task) + ")" : "()";
    if (r == nullptr) return call;
    switch (r->kind) {
      case answer::done: return call;
      case answer::full: return call + " -> full";
      case answer::gone: return call + " -> stolen";
      case answer::no_work: return call + " -> no work";
      case answer::busy: return call + " -> busy";
      case answer::task:
      case answer::stolen: return call + " -> " + std::to_string(r->task);
      case answer::stolen_last: return call + " -> " + std::to_string(r->task) + " (last)";
    }
    return call;
  }

  friend auto operator<=>(const split_deque&, const split_deque&) = default;
};

}  // namespace fencepost::models
