// The accesses of a run that are no events: to plain data, and uses of objects. The engine keeps
// them for the axioms, since whether they are ordered depends on the promises.
#pragma once

#include <cstddef>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/options.hpp"

namespace fencepost::verify {

class silent_accesses {
 public:
  void clear() noexcept {
    all_.clear();
    places_.clear();
  }
  void add(const silent_access& a, source_location where) {
    all_.push_back(a);
    places_.push_back(where);
  }
  // Forgets what follows this event of the thread.
  void cut(unsigned thread, unsigned number);

  // In the order of the run.
  [[nodiscard]] const std::vector<silent_access>& all() const noexcept { return all_; }
  // Describes the race of two accesses: the message, and the thread and place of the later one.
  [[nodiscard]] run_judgement race_of(const silent_access&, const silent_access&) const;

 private:
  [[nodiscard]] std::size_t position_of(const silent_access&) const;

  std::vector<silent_access> all_;
  std::vector<source_location> places_;  // of each
};

}  // namespace fencepost::verify
