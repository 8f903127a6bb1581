#include "axioms.hpp"

#include <algorithm>

namespace fencepost::litmus {

base_relations::base_relations(const candidate& c) : n(c.size()), sb(n), loc(n), rf(n) {
  for (std::size_t i = 0; i < n; ++i) {
    const event& e = c.events[i];
    all |= just(i);
    if (e.reads) reads |= just(i);
    if (e.writes) writes |= just(i);
    if (e.reads && e.writes) updates |= just(i);
    if (!e.reads && !e.writes) fences |= just(i);
    if (c.threads[i] == candidate::no_thread) {
      initial |= just(i);
    } else {
      if (e.order != access_order::plain) atomic |= just(i);
      if (is_acquire(e.order)) acquire |= just(i);
      if (is_release(e.order)) release |= just(i);
      if (e.order == access_order::seq_cst) sc |= just(i);
    }
    for (std::size_t j = 0; j < n; ++j) {
      if (j > i && c.threads[i] == c.threads[j] && c.threads[i] != candidate::no_thread) {
        sb.add(i, j);
      }
      const bool shared = std::any_of(c.cells[i].begin(), c.cells[i].end(), [&](cell_id cell) {
        return std::find(c.cells[j].begin(), c.cells[j].end(), cell) != c.cells[j].end();
      });
      if (shared) loc.add(i, j);
    }
  }
  for (const relation& of_cell : c.rf) rf = rf | of_cell;
}

relation happens_before(const base_relations& g, bool same_thread_release_sequences) {
  const auto id = [&](event_set s) { return relation::identity(g.n, s); };
  const event_set atomic_writes = g.writes & g.atomic;

  // rs = [W] ; ((sb & loc)? ; [W & atomic] in C++11) ; (rf ; rmw)*
  relation rs = id(atomic_writes);
  if (same_thread_release_sequences) {
    rs = id(g.writes) * (g.sb & g.loc).reflexive() * id(atomic_writes);
  }
  rs = rs * (g.rf * id(g.updates)).closure().reflexive();

  // sw = [release] ; ([F] ; sb)? ; rs ; rf ; [R & atomic] ; (sb ; [F])? ; [acquire]
  const relation heads = (id(g.fences) * g.sb).reflexive();
  const relation tails = (g.sb * id(g.fences)).reflexive();
  const relation sw =
      id(g.release) * heads * rs * g.rf * id(g.reads & g.atomic) * tails * id(g.acquire);
  return (g.sb | sw).closure();
}

bool has_race(const candidate& c, const base_relations& g, const relation& hb) {
  for (std::size_t i = 0; i < g.n; ++i) {
    for (std::size_t j = i + 1; j < g.n; ++j) {
      const event_set both = just(i) | just(j);
      if (c.threads[i] == c.threads[j] || (both & g.initial) != 0) continue;
      if (!g.loc.has(i, j) || (both & g.writes) == 0) continue;
      if ((both & g.atomic) == both) continue;
      if (!hb.has(i, j) && !hb.has(j, i)) return true;
    }
  }
  return false;
}

ordered_cell::ordered_cell(const candidate& c, cell_id cell, const std::vector<std::size_t>& writes)
    : rf(c.rf[cell]), mo(c.size()), rb(c.size()), eco(c.size()), order(writes) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = i + 1; j < order.size(); ++j) mo.add(order[i], order[j]);
  }
  rb = rf.inverse() * mo - relation(c.size()).reflexive();
  eco = (rf | mo | rb).closure();
}

bool ordered_cell::coherent(const base_relations& g, const relation& hb) const {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const bool update = (g.updates & just(order[i])) != 0;
    if (update && !rf.has(order[i - 1], order[i])) return false;  // a write between its halves
  }
  return eco.irreflexive() && (hb * eco.reflexive()).irreflexive();
}

bool tears(const candidate& c, const base_relations& g,
           const std::vector<const ordered_cell*>& cells) {
  event_set whole = 0;
  for (std::size_t i = 0; i < g.n; ++i) {
    if (c.cells[i].size() > 1) whole |= just(i);
  }
  if (whole == 0) return false;
  relation agreed(g.n);
  for (const ordered_cell* cell : cells) agreed = agreed | cell->eco;
  // Whole-word events of different words are never related here.
  return !agreed.between(whole, whole).acyclic();
}

bool psc_acyclic(const base_relations& g, const relation& hb,
                 const std::vector<const ordered_cell*>& cells) {
  if (g.sc == 0) return true;
  const auto id = [&](event_set s) { return relation::identity(g.n, s); };
  const event_set fences = g.sc & g.fences;
  relation mo(g.n), rb(g.n), eco(g.n);
  for (const ordered_cell* cell : cells) {
    mo = mo | cell->mo;
    rb = rb | cell->rb;
    eco = eco | cell->eco;
  }
  const relation sb_other = g.sb - g.loc;
  const relation scb = g.sb | sb_other * hb * sb_other | (hb & g.loc) | mo | rb;
  const relation before = id(g.sc) | id(fences) * hb.reflexive();
  const relation after = id(g.sc) | hb.reflexive() * id(fences);
  const relation psc_base = before * scb * after;
  const relation psc_fence = (hb | hb * eco * hb).between(fences, fences);
  return (psc_base | psc_fence).acyclic();
}

bool single_order_exists(const base_relations& g, const relation& hb,
                         const std::vector<const ordered_cell*>& cells) {
  if (g.sc == 0) return true;
  const auto id = [&](event_set s) { return relation::identity(g.n, s); };
  const event_set fences = g.sc & g.fences;
  relation coherence_ordered(g.n);
  for (const ordered_cell* cell : cells) coherence_ordered = coherence_ordered | cell->eco;
  const relation strongly = (g.sb | g.sb * hb * g.sb).closure();
  const relation before = id(g.sc & ~g.fences) | id(fences) * hb;
  const relation after = id(g.sc & ~g.fences) | hb * id(fences);
  return (strongly.between(g.sc, g.sc) | before * coherence_ordered * after).acyclic();
}

}  // namespace fencepost::litmus
