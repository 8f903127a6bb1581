// An explored graph in the axioms' terms.
#pragma once

#include <cstddef>
#include <vector>

#include "axioms/axioms.hpp"
#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

// Silent accesses between the same two events of a thread are one event here: happens-before
// relates all of them alike to other events, and program order orders them among themselves.
struct translated_graph {
  explicit translated_graph(const verify::explored_graph&);

  candidate c;
  std::vector<std::vector<std::size_t>> orders;   // by cell
  std::vector<std::vector<std::size_t>> numbers;  // by thread and event
  std::vector<std::size_t> silent;                // by silent access
};

strength to_strength(verify::order);

// What `f` returns for the narrowest relations that hold all events, or `none`.
template <typename Result, typename F>
Result in_narrowest(const translated_graph& t, Result none, F f) {
#define FENCEPOST_TRY(W) \
  if (t.c.size() <= event_set<W>::capacity) return f.template operator()<W>();
  FENCEPOST_EACH_WIDTH(FENCEPOST_TRY)
#undef FENCEPOST_TRY
  return none;
}

}  // namespace fencepost::axioms
