// Properties of an event of an explored graph.
#pragma once

#include <string>

#include "fencepost/verify/explored_graph.hpp"

namespace fencepost::axioms {

inline bool reads(const verify::explored_event& e) {
  return e.what == verify::explored_event::kind::load ||
         e.what == verify::explored_event::kind::update;
}

inline bool accesses(const verify::explored_event& e) {
  return reads(e) || e.what == verify::explored_event::kind::store;
}

inline unsigned cells_of(const verify::explored_event& e) {
  return e.cells[0] == verify::no_location ? 0 : e.cells[1] == verify::no_location ? 1 : 2;
}

// "#3 of thread 1"
inline std::string text_of(const verify::explored_event::name& n) {
  if (n.number == 0) return "the initial value";
  return "#" + std::to_string(n.number) + " of thread " + std::to_string(n.thread);
}

}  // namespace fencepost::axioms
