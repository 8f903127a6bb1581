#include "axioms/event_values.hpp"

#include <algorithm>
#include <vector>

#include "axioms/graph_events.hpp"

namespace fencepost::axioms {
namespace {

using verify::explored_event;
using verify::explored_graph;
using verify::location;
using verify::value;
using kind = explored_event::kind;
using name = explored_event::name;

// The value that a write leaves in one of its cells.
value left_by(const explored_graph& g, const name& writer, location cell) {
  if (writer.number == 0) return g.cells[cell].initial;
  const explored_event& w = g.threads[writer.thread][writer.number - 1];
  if (cells_of(w) == 1) return w.written;
  return w.cells[0] == cell ? w.written & 0xffffffffU : w.written >> 32U;
}

value modified(const explored_event& e) {
  if (e.compares) return e.operand;
  value v = 0;
  switch (e.op) {
    case verify::operation::exchange: return e.operand;
    case verify::operation::bit_and: return e.read & e.operand;
    case verify::operation::bit_or: return e.read | e.operand;
    case verify::operation::bit_xor: return e.read ^ e.operand;
    case verify::operation::add: v = e.read + e.operand; break;
    case verify::operation::subtract: v = e.read - e.operand; break;
    case verify::operation::custom: v = e.custom(e.read, e.operand); break;
  }
  return e.size >= 8 ? v : v & ~(~value{0} << 8U * e.size);
}

bool is_write_to(const explored_graph& g, const name& n, location cell) {
  if (n.number == 0) return true;
  if (n.thread >= g.threads.size() || n.number > g.threads[n.thread].size()) return false;
  const explored_event& e = g.threads[n.thread][n.number - 1];
  return e.writes && (e.cells[0] == cell || e.cells[1] == cell);
}

// What is wrong with the event, or "".
std::string wrong_values(const explored_graph& g, const explored_event& e) {
  if (reads(e)) {
    value seen = 0;
    for (unsigned k = 0; k < cells_of(e); ++k) {
      if (!is_write_to(g, e.sources[k], e.cells[k]))
        return "reads from an event that does not write to its location";
      seen |= left_by(g, e.sources[k], e.cells[k]) << 32U * k;
    }
    if (seen != e.read) return "reads a value other than the one that was written";
  }
  if (e.what == kind::store) {
    return e.writes && e.written == e.operand ? ""
                                              : "stores a value other than the one it was given";
  }
  if (e.what != kind::update) return e.writes ? "writes" : "";
  const bool equal = !e.compares || e.read == e.expected;
  if (e.spurious && !(e.weak && e.compares && equal)) return "may not fail spuriously";
  if (e.writes != (equal && !e.spurious))
    return "succeeds where it must fail, or fails where it must succeed";
  return !e.writes || e.written == modified(e) ? ""
                                               : "writes a value other than the one it computes";
}

// True if the modification order of each cell consists of the writes to that cell, each once.
bool orders_are_whole(const explored_graph& g) {
  std::size_t ordered = 0;
  std::size_t writes = 0;
  for (location l = 0; l < g.cells.size(); ++l) {
    std::vector<name> all = g.cells[l].order;
    ordered += all.size();
    for (const name& w : all) {
      if (w.number == 0 || !is_write_to(g, w, l)) return false;
    }
    std::sort(all.begin(), all.end());
    if (std::adjacent_find(all.begin(), all.end()) != all.end()) return false;
  }
  for (const auto& thread : g.threads) {
    for (const explored_event& e : thread) {
      if (e.writes) writes += cells_of(e);
    }
  }
  return ordered == writes;
}

}  // namespace

std::string wrong_events(const explored_graph& g) {
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    for (unsigned i = 0; i < g.threads[t].size(); ++i) {
      if (std::string wrong = wrong_values(g, g.threads[t][i]); !wrong.empty()) {
        return text_of({t, i + 1}) + " " + wrong;
      }
    }
  }
  return orders_are_whole(g)
             ? ""
             : "the modification order of a location does not contain each of its writes once";
}

}  // namespace fencepost::axioms
