// A second opinion on what the explorer explores: every graph, with nothing that the explorer
// concluded of it, is judged by the axioms; values are computed once more; and no graph may come
// twice.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

struct opinion {
  enum class kind : std::uint8_t { confirmed, rejected, not_held };
  kind what = kind::confirmed;
  std::string why;  // rejected: what is wrong; not held: what the axioms have no room or word for
};

// Is this an execution of the program that the model allows, and does it have the race that it is
// said to have?
opinion judge(const verify::explored_graph&);

// Equal for equal graphs, in whatever order threads were numbered.
std::uint64_t fingerprint(const verify::explored_graph&);

// A line for each event.
std::string to_text(const verify::explored_graph&);

// All graphs of one exploration.
class second_opinion {
 public:
  void hear(const verify::explored_graph&);
  // What was heard counts no more: the exploration begins from the beginning.
  void restart();
  [[nodiscard]] const verify::rechecked& so_far() const noexcept { return so_far_; }

 private:
  verify::rechecked so_far_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace fencepost::axioms
