// The beginnings that load-buffering races lead to, each once; and those that are still to be
// explored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/open_races.hpp"
#include "reexecute/race_selection.hpp"

namespace fencepost::verify {

class race_beginnings {
 public:
  // `most_promises`: options::reexecutions.
  race_beginnings(unsigned most_promises, open_races& open)
      : most_promises_(most_promises), open_(open) {}

  // Forgets everything, since the first exploration restarts.
  void restart();
  void begin_exploration() noexcept { selection_.begin_exploration(); }
  [[nodiscard]] race_selection& selection() noexcept { return selection_; }

  // A race that was met. In the first exploration, nothing is promised, and there is no start.
  struct race {
    const explored_graph& graph;
    explored_name read, write;
    const std::vector<promise>& promised;
    const start* from;
  };
  void add(const race&);
  // Adds the further races of a complete execution with a cycle, including those of
  // read-modify-writes in conflict.
  void add_races_of(const explored_graph&, std::uint64_t fingerprint,
                    const std::vector<promise>& promised, const start& from);

  // The next ones to be explored; empty: there are none.
  [[nodiscard]] batch take() { return left_.take(); }
  // How many there were; and whether none was left out because it has too many promises.
  [[nodiscard]] std::size_t size() const noexcept { return left_.size(); }
  [[nodiscard]] bool exhaustive() const noexcept { return exhaustive_; }

 private:
  void begin_with(const race&, field_set);
  void leave_open(const race&, std::string why);

  const unsigned most_promises_;
  open_races& open_;
  race_selection selection_;
  batches left_;
  std::unordered_set<std::uint64_t> known_;  // fingerprints: of the beginnings, …
  std::unordered_set<std::uint64_t> seen_;   // … and of the executions whose races were added
  bool exhaustive_ = true;
};

}  // namespace fencepost::verify
