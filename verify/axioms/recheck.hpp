// A second opinion on what the explorer explores: every graph is judged by the axioms, without
// anything that the explorer concluded about it; values are computed once more; and no graph may
// come twice.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

struct opinion {
  enum class kind : std::uint8_t { confirmed, rejected, not_held };
  kind what = kind::confirmed;
  std::string why;  // rejected: what is wrong; not held: what the axioms have no room for
};

// Whether this is an execution of the program that the model allows, and has the race that it is
// said to have.
opinion judge(const verify::explored_graph&);

// The same judgement where program order and reads-from may have a cycle; the graph's modification
// orders hold each write once.
struct reading {
  // Accesses to plain data, or lives of objects, that happens-before does not order.
  struct unordered_uses {
    std::string why;  // "": there are none
    std::optional<std::pair<verify::silent_access, verify::silent_access>> accesses;
    std::optional<verify::silent_access> life;  // a beginning or an end, and …
    verify::explored_event::name use;           // … what it is not ordered with
  };
  bool held = true;  // the axioms have room for it
  bool consistent = false;
  bool cyclic = false;  // program order and reads-from have a cycle
  bool race = false;    // between accesses of order::plain
  unordered_uses unordered;
  bool reversed = false;  // an event came before one that happens before it
};
// `came`: when each event came in the run, by thread and number.
reading read_with_cycles(const verify::explored_graph&,
                         const std::vector<std::vector<unsigned>>& came);

// All graphs of one exploration.
class second_opinion {
 public:
  void hear(const verify::explored_graph&);
  // Discards what was heard: the exploration restarts.
  void restart();
  [[nodiscard]] const verify::rechecked& so_far() const noexcept { return so_far_; }

 private:
  verify::rechecked so_far_;
  std::unordered_set<std::uint64_t> seen_;
};

}  // namespace fencepost::axioms
