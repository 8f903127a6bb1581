#include "axioms/graph_races.hpp"

#include "axioms/axioms.hpp"
#include "axioms/graph_events.hpp"
#include "axioms/translated_graph.hpp"

namespace fencepost::axioms {
namespace {

using verify::explored_event;
using verify::explored_graph;
using kind = explored_event::kind;
using name = explored_event::name;

template <std::size_t Words>
std::vector<pair_of_names> load_buffering_races(const explored_graph& g,
                                                const translated_graph& t) {
  std::vector<name> names(t.c.size());
  for (unsigned thread = 0; thread < g.threads.size(); ++thread) {
    for (unsigned i = 0; i < g.threads[thread].size(); ++i) {
      names[t.numbers[thread][i]] = {thread, i + 1};
    }
  }
  const base_relations<Words> base(t.c);
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  base_relations<Words> weaker = base;
  for (unsigned thread = 0; thread < g.threads.size(); ++thread) {
    for (unsigned i = 0; i < g.threads[thread].size(); ++i) {
      const explored_event& e = g.threads[thread][i];
      const bool may_not_acquire =
          !is_acquire(to_strength(e.success)) || !is_acquire(to_strength(e.failure));
      if (e.compares && may_not_acquire) weaker.acquire.remove(t.numbers[thread][i]);
    }
  }
  std::vector<pair_of_names> all;
  for (const auto& [read, write] : axioms::load_buffering_races(t.c, weaker, hb)) {
    // The initial writes have no name here; nothing leads to them.
    all.emplace_back(names[read], names[write]);
  }
  return all;
}

bool share_a_cell(const explored_event& a, const explored_event& b) {
  for (unsigned k = 0; k < cells_of(a); ++k)
    for (unsigned j = 0; j < cells_of(b); ++j)
      if (a.cells[k] == b.cells[j]) return true;
  return false;
}

template <std::size_t Words>
std::vector<pair_of_names> exchangeable_updates(const explored_graph& g,
                                                const translated_graph& t) {
  std::vector<pair_of_names> all;
  std::vector<name> updates;
  for (unsigned thread = 0; thread < g.threads.size(); ++thread)
    for (unsigned i = 0; i < g.threads[thread].size(); ++i)
      if (g.threads[thread][i].what == kind::update) updates.push_back({thread, i + 1});
  if (updates.size() < 2) return all;
  const base_relations<Words> base(t.c);
  const relation<Words> hb = happens_before(base, g.model == verify::memory_model::rc11);
  const auto at = [&](const name& n) -> const explored_event& {
    return g.threads[n.thread][n.number - 1];
  };
  const auto ordered = [&](const name& first, const name& second) {
    if (second.number == 1) return false;
    const std::size_t before = t.numbers[second.thread][second.number - 2];
    for (std::size_t i = first.number; i < g.threads[first.thread].size(); ++i)
      if (hb.has(t.numbers[first.thread][i], before)) return true;
    return false;
  };
  for (const name& first : updates)
    for (const name& second : updates)
      if (at(first).writes && first.thread != second.thread &&
          share_a_cell(at(first), at(second)) && !ordered(first, second))
        all.emplace_back(first, second);
  return all;
}

}  // namespace

std::vector<pair_of_names> load_buffering_races(const explored_graph& g) {
  const translated_graph t(g);
  return in_narrowest(t, std::vector<pair_of_names>{},
                      [&]<std::size_t W> { return load_buffering_races<W>(g, t); });
}

std::vector<pair_of_names> exchangeable_updates(const explored_graph& g) {
  const translated_graph t(g);
  return in_narrowest(t, std::vector<pair_of_names>{},
                      [&]<std::size_t W> { return exchangeable_updates<W>(g, t); });
}

}  // namespace fencepost::axioms
