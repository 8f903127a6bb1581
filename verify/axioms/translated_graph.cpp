#include "axioms/translated_graph.hpp"

#include "axioms/graph_events.hpp"

namespace fencepost::axioms {
namespace {

using verify::explored_event;
using verify::explored_graph;
using verify::location;
using verify::order;
using kind = explored_event::kind;
using name = explored_event::name;

}  // namespace

strength to_strength(order o) {
  switch (o) {
    case order::plain: return strength::plain;
    case order::relaxed: return strength::relaxed;
    case order::acquire: return strength::acquire;
    case order::release: return strength::release;
    case order::acq_rel: return strength::acq_rel;
    case order::seq_cst: break;
  }
  return strength::seq_cst;
}

translated_graph::translated_graph(const explored_graph& g) : silent(g.silent.size()) {
  std::vector<std::size_t> cell_of(g.cells.size(), g.cells.size());
  for (const auto& thread : g.threads) {
    for (const explored_event& e : thread) {
      for (unsigned k = 0; k < cells_of(e); ++k) cell_of[e.cells[k]] = 0;
    }
  }
  for (std::size_t& cell : cell_of) {
    if (cell == g.cells.size()) continue;
    cell = c.cells++;
    candidate::event e;
    e.kind = event_kind::access;
    e.writes = true;
    e.cell_count = 1;
    e.cells[0] = cell;
    c.events.push_back(e);
  }

  std::vector<std::vector<std::size_t>> silent_of(g.threads.size());
  for (std::size_t i = 0; i < g.silent.size(); ++i) silent_of[g.silent[i].thread].push_back(i);
  const auto other = [&](unsigned thread) {
    candidate::event e;
    e.thread = thread;
    c.events.push_back(e);
    return c.events.size() - 1;
  };
  std::vector<std::size_t> begin(g.threads.size());
  std::vector<std::size_t> end(g.threads.size());
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    std::vector<std::size_t>& mine = numbers.emplace_back();
    begin[t] = other(t);
    std::size_t next = 0;  // silent access
    const auto add_silent = [&](std::size_t after) {
      std::size_t event = 0;
      for (; next < silent_of[t].size() && g.silent[silent_of[t][next]].after <= after; ++next) {
        if (event == 0) event = other(t);
        silent[silent_of[t][next]] = event;
      }
    };
    add_silent(0);
    for (const explored_event& e : g.threads[t]) {
      mine.push_back(c.events.size());
      candidate::event out;
      out.thread = t;
      out.reads = reads(e);
      out.writes = e.writes;
      out.order = to_strength(e.what == kind::update && !e.writes ? e.failure : e.success);
      out.kind = accesses(e)             ? event_kind::access
                 : e.what == kind::fence ? event_kind::fence
                                         : event_kind::other;
      out.cell_count = cells_of(e);
      for (unsigned k = 0; k < out.cell_count; ++k) out.cells[k] = cell_of[e.cells[k]];
      c.events.push_back(out);
      add_silent(mine.size());
    }
    end[t] = other(t);
  }

  const auto number_of = [&](const name& n, std::size_t cell) {
    return n.number == 0 ? cell : numbers[n.thread][n.number - 1];
  };
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    for (std::size_t i = 0; i < g.threads[t].size(); ++i) {
      const explored_event& e = g.threads[t][i];
      const std::size_t n = numbers[t][i];
      for (unsigned k = 0; reads(e) && k < cells_of(e); ++k) {
        c.events[n].sources[k] = number_of(e.sources[k], cell_of[e.cells[k]]);
      }
      if (e.what != kind::create && e.what != kind::join) continue;
      for (unsigned u = 0; u < g.threads.size(); ++u) {
        if ((e.threads >> u & 1U) == 0) continue;
        if (e.what == kind::create) c.synchronized.emplace_back(n, begin[u]);
        if (e.what == kind::join) c.synchronized.emplace_back(end[u], n);
      }
    }
  }
  orders.resize(c.cells);
  for (location l = 0; l < g.cells.size(); ++l) {
    if (cell_of[l] == g.cells.size()) continue;
    std::vector<std::size_t>& order = orders[cell_of[l]];
    order.push_back(cell_of[l]);
    for (const name& w : g.cells[l].order) order.push_back(number_of(w, 0));
  }
}

}  // namespace fencepost::axioms
