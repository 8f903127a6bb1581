// Happens-before between the steps of an execution, from its edges.
#pragma once

#include <cstddef>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Or a larger order, which includes the relation `through` as well.
class happens_before {
 public:
  explicit happens_before(const execution& e, relation through = relation::synchronizes_with)
      : next_(e.steps.size()) {
    std::vector<std::size_t> last;
    for (std::size_t i = 0; i < e.steps.size(); ++i) {
      const unsigned t = e.steps[i].thread;
      if (last.size() <= t) last.resize(t + 1, e.steps.size());
      if (last[t] != e.steps.size()) next_[last[t]].push_back(i);
      last[t] = i;
    }
    for (const edge& link : e.edges) {
      if (link.kind == relation::synchronizes_with || link.kind == through) {
        next_[link.from].push_back(link.to);
      }
    }
  }

  // True if `a` comes before `b`, or is the same step.
  bool operator()(std::size_t a, std::size_t b) const {
    std::vector<bool> seen(next_.size());
    std::vector<std::size_t> open{a};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      if (at == b) return true;
      if (seen[at]) continue;
      seen[at] = true;
      open.insert(open.end(), next_[at].begin(), next_[at].end());
    }
    return false;
  }

 private:
  std::vector<std::vector<std::size_t>> next_;
};

}  // namespace fencepost::verify
