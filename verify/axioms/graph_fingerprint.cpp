#include "axioms/graph_fingerprint.hpp"

#include <cstddef>
#include <vector>

#include "axioms/graph_events.hpp"
#include "axioms/mixed.hpp"

namespace fencepost::axioms {
namespace {

using verify::explored_event;
using verify::explored_graph;
using verify::location;
using verify::order;
using kind = explored_event::kind;
using name = explored_event::name;

}  // namespace

std::uint64_t fingerprint(const explored_graph& g, told_apart by) {
  // Threads are named by their creators.
  std::vector<std::uint64_t> names(g.threads.size(), 0);
  if (!names.empty()) names[0] = 1;
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t t = 0; t < g.threads.size(); ++t) {
      if (names[t] == 0) continue;
      for (std::size_t i = 0; i < g.threads[t].size(); ++i) {
        const explored_event& e = g.threads[t][i];
        if (e.what != kind::create) continue;
        std::uint64_t nth = 0;
        for (std::size_t child = 0; child < g.threads.size(); ++child) {
          if ((e.threads >> child & 1U) == 0) continue;
          ++nth;
          if (names[child] != 0) continue;
          names[child] = mixed(mixed(mixed(names[t], i), nth), 5);
          progress = true;
        }
      }
    }
  }
  const auto name_of = [&](const name& n) {
    return n.number == 0 ? std::uint64_t{0} : mixed(names[n.thread], n.number);
  };
  // Which cells an event accesses follows from what its thread has read; and which cell an initial
  // write is to, from its reader.
  std::uint64_t sum = 0;
  for (std::size_t t = 0; t < g.threads.size(); ++t) {
    std::uint64_t h = names[t];
    for (const explored_event& e : g.threads[t]) {
      h = mixed(h, static_cast<std::uint64_t>(e.what));
      if (e.what == kind::choose) h = mixed(h, e.read);
      for (unsigned k = 0; reads(e) && k < cells_of(e); ++k) h = mixed(h, name_of(e.sources[k]));
      h = mixed(h, e.spurious ? 2 : 1);
      if (by == told_apart::by_values_too && reads(e)) h = mixed(h, e.read);
    }
    sum += mixed(h, g.threads[t].size());
  }
  for (const explored_graph::cell& cell : g.cells) {
    if (cell.order.empty()) continue;
    std::uint64_t h = 7;
    for (const name& w : cell.order) h = mixed(h, name_of(w));
    sum += mixed(h, cell.order.size());
  }
  return sum;
}

std::string to_text(const explored_graph& g) {
  constexpr const char* kinds[] = {"load", "store", "update", "fence", "create", "join", "choose"};
  std::string text;
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    for (unsigned i = 0; i < g.threads[t].size(); ++i) {
      const explored_event& e = g.threads[t][i];
      text += text_of({t, i + 1}) + ": " + kinds[static_cast<std::size_t>(e.what)];
      if (accesses(e) || e.what == kind::fence) {
        const order o = e.what == kind::update && !e.writes ? e.failure : e.success;
        text += " " + std::string(to_string(o));
      }
      for (unsigned k = 0; k < cells_of(e); ++k) {
        text += (k == 0 ? " location " : " and ") + std::to_string(e.cells[k]);
      }
      if (reads(e)) {
        text += ", reads " + std::to_string(e.read) + " from " + text_of(e.sources[0]);
        if (cells_of(e) == 2) text += " and " + text_of(e.sources[1]);
      }
      if (e.writes) text += ", writes " + std::to_string(e.written);
      for (unsigned u = 0; u < g.threads.size(); ++u) {
        if ((e.threads >> u & 1U) != 0) text += " " + std::to_string(u);
      }
      if (e.where.file != nullptr && e.where.line != 0) {
        text += "  (" + std::string(e.where.file) + ":" + std::to_string(e.where.line) + ")";
      }
      text += "\n";
    }
  }
  for (location l = 0; l < g.cells.size(); ++l) {
    if (g.cells[l].order.empty()) continue;
    text += "location " + std::to_string(l) + ": the initial value";
    for (const name& w : g.cells[l].order) text += ", " + text_of(w);
    text += "\n";
  }
  return text;
}

}  // namespace fencepost::axioms
