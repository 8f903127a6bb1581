#include "axioms.hpp"

namespace fencepost::axioms {

template <std::size_t Words>
base_relations<Words>::base_relations(const candidate& c)
    : n(c.size()), of_cell(c.cells), sb(n), loc(n), rf(n), additionally_synchronizes(n) {
  std::vector<set> later;  // by thread: its events after this one
  for (std::size_t i = n; i-- > 0;) {
    const candidate::event& e = c.events[i];
    all.add(i);
    if (e.reads) reads.add(i);
    if (e.writes) writes.add(i);
    if (e.reads && e.writes) updates.add(i);
    if (e.kind == event_kind::fence) fences.add(i);
    if (e.thread == candidate::no_thread) {
      initial.add(i);
    } else {
      if (e.kind != event_kind::other) {
        if (e.order != strength::plain) atomic.add(i);
        if (is_acquire(e.order)) acquire.add(i);
        if (is_release(e.order)) release.add(i);
        if (e.order == strength::seq_cst) sc.add(i);
      }
      if (later.size() <= e.thread) later.resize(e.thread + 1);
      sb.add(i, later[e.thread]);
      later[e.thread].add(i);
    }
    for (unsigned k = 0; k < e.cell_count; ++k) {
      of_cell[e.cells[k]].add(i);
      if (e.reads) rf.add(e.sources[k], i);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const candidate::event& e = c.events[i];
    for (unsigned k = 0; k < e.cell_count; ++k) loc.add(i, of_cell[e.cells[k]]);
  }
  for (const auto& [from, to] : c.synchronized) additionally_synchronizes.add(from, to);
}

template <std::size_t Words>
relation<Words> happens_before(const base_relations<Words>& g, bool same_thread_release_sequences) {
  const auto id = [&](const event_set<Words>& s) { return relation<Words>::identity(g.n, s); };
  const event_set<Words> atomic_writes = g.writes & g.atomic;

  // rs = [W] ; ((sb & loc)? ; [W & atomic] in C++11) ; (rf ; rmw)*
  relation<Words> rs = id(atomic_writes);
  if (same_thread_release_sequences) {
    rs = id(g.writes) * (g.sb & g.loc).reflexive() * id(atomic_writes);
  }
  rs = rs * g.rf.between(g.all, g.updates).closure().reflexive();

  // sw = [release] ; ([F] ; sb)? ; rs ; rf ; [R & atomic] ; (sb ; [F])? ; [acquire]
  const relation<Words> heads = id(g.release) | g.sb.between(g.release & g.fences, g.all);
  const relation<Words> tails = id(g.acquire) | g.sb.between(g.all, g.acquire & g.fences);
  const relation<Words> sw = heads * rs * g.rf.between(g.all, g.reads & g.atomic) * tails;
  return (g.sb | sw | g.additionally_synchronizes).closure();
}

template <std::size_t Words>
bool has_race(const candidate& c, const base_relations<Words>& g, const relation<Words>& hb) {
  bool race = false;
  const event_set<Words> own = g.all - g.initial;
  (own & (g.reads | g.writes)).for_each([&](std::size_t i) {
    if (race) return;
    event_set<Words> conflicting = g.loc.successors(i) & own;
    if (!g.writes.has(i)) conflicting &= g.writes;
    if (g.atomic.has(i)) conflicting -= g.atomic;
    conflicting.for_each([&](std::size_t j) {
      if (c.events[i].thread == c.events[j].thread) return;
      race = race || (!hb.has(i, j) && !hb.has(j, i));
    });
  });
  return race;
}

template <std::size_t Words>
ordered_cell<Words>::ordered_cell(const candidate& c, const base_relations<Words>& g, cell_id cell,
                                  const std::vector<std::size_t>& writes)
    : members(writes), write_count(writes.size()) {
  (g.of_cell[cell] & g.reads & (g.all - g.writes)).for_each([&](std::size_t r) {
    members.push_back(r);
  });
  std::vector<std::size_t> member(g.n);  // by event
  for (std::size_t i = 0; i < members.size(); ++i) member[members[i]] = i;

  rf = mo = rb = relation<Words>(members.size());
  event_set<Words> above;
  for (std::size_t i = write_count; i-- > 0;) {
    mo.add(i, above);
    above.add(i);
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    const candidate::event& e = c.events[members[i]];
    if (!e.reads) continue;
    const std::size_t source = member[e.sources[e.cells[0] == cell ? 0 : 1]];
    rf.add(source, i);
    event_set<Words> overwriting = mo.successors(source);
    overwriting.remove(i);
    rb.add(i, overwriting);
  }
  eco = (rf | mo | rb).closure();
}

template <std::size_t Words>
bool ordered_cell<Words>::coherent(const base_relations<Words>& g,
                                   const relation<Words>& hb) const {
  for (std::size_t i = 1; i < write_count; ++i) {
    // No write may come between the read and the write of a read-modify-write.
    if (g.updates.has(members[i]) && !rf.has(i - 1, i)) return false;
  }
  // eco, hb and hb;eco are irreflexive.
  if (!hb.irreflexive() || !eco.irreflexive()) return false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    bool wrong = false;
    eco.successors(i).for_each(
        [&](std::size_t j) { wrong = wrong || hb.has(members[j], members[i]); });
    if (wrong) return false;
  }
  return true;
}

template <std::size_t Words>
void ordered_cells<Words>::add(const ordered_cell<Words>& cell) {
  const auto add_to = [&](relation<Words>& whole, const relation<Words>& part) {
    for (std::size_t i = 0; i < cell.members.size(); ++i) {
      part.successors(i).for_each(
          [&](std::size_t j) { whole.add(cell.members[i], cell.members[j]); });
    }
  };
  add_to(mo, cell.mo);
  add_to(rb, cell.rb);
  add_to(eco, cell.eco);
}

template <std::size_t Words>
bool tears(const candidate& c, const ordered_cells<Words>& cells) {
  event_set<Words> whole;
  for (std::size_t i = 0; i < c.size(); ++i) {
    if (c.events[i].cell_count > 1) whole.add(i);
  }
  if (whole.empty()) return false;
  // Whole-word events of different words are never related here.
  return !cells.eco.between(whole, whole).acyclic();
}

template <std::size_t Words>
bool psc_acyclic(const base_relations<Words>& g, const relation<Words>& hb,
                 const ordered_cells<Words>& cells) {
  if (g.sc.empty()) return true;
  const auto id = [&](const event_set<Words>& s) { return relation<Words>::identity(g.n, s); };
  const event_set<Words> fences = g.sc & g.fences;
  const relation<Words> sb_other = g.sb - g.loc;
  // scb = sb | sb_other ; hb ; sb_other | hb & loc | mo | rb
  const relation<Words> before = id(g.sc) | hb.between(fences, g.all);
  const relation<Words> after = id(g.sc) | hb.between(g.all, fences);
  const relation<Words> psc_base =
      (before * (g.sb | (hb & g.loc) | cells.mo | cells.rb) | before * sb_other * hb * sb_other) *
      after;
  const relation<Words> psc_fence =
      hb.between(fences, fences) |
      hb.between(fences, g.all) * cells.eco * hb.between(g.all, fences);
  return (psc_base | psc_fence).acyclic();
}

template <std::size_t Words>
bool single_order_exists(const base_relations<Words>& g, const relation<Words>& hb,
                         const ordered_cells<Words>& cells) {
  if (g.sc.empty()) return true;
  const auto id = [&](const event_set<Words>& s) { return relation<Words>::identity(g.n, s); };
  const event_set<Words> fences = g.sc & g.fences;
  const relation<Words> strongly = (g.sb | g.sb * hb * g.sb).closure();
  const relation<Words> before = id(g.sc - g.fences) | id(fences) * hb;
  const relation<Words> after = id(g.sc - g.fences) | hb.between(g.all, fences);
  return (strongly.between(g.sc, g.sc) | before * cells.eco * after).acyclic();
}

namespace {

template <std::size_t Words>
bool is_kept_behind(std::size_t store, std::size_t read, const base_relations<Words>& g) {
  bool kept = g.acquire.has(read) || g.release.has(store);
  g.fences.for_each(
      [&](std::size_t f) { kept = kept || (g.sb.has(read, f) && g.sb.has(f, store)); });
  return kept;
}

}  // namespace

template <std::size_t Words>
std::set<std::pair<std::size_t, std::size_t>> load_buffering_races(const candidate& c,
                                                                   const base_relations<Words>& g,
                                                                   const relation<Words>& hb) {
  const relation<Words> before = (g.sb | g.rf | g.additionally_synchronizes).closure();
  std::set<std::pair<std::size_t, std::size_t>> races;
  // True if the read also happens before the write in an execution with load buffering. The release
  // of a read-modify-write does not count: the events that acquire from it may not read from it
  // there.
  const auto stays_before = [&](std::size_t read, std::size_t w) {
    if (!g.writes.has(read)) return hb.has(read, w);
    bool stays = false;
    g.sb.successors(read).for_each([&](std::size_t e) { stays = stays || hb.has(e, w); });
    return stays;
  };
  // `reader` reads the cell from the store, which is not kept behind `read`.
  const auto look_at = [&](std::size_t read, std::size_t reader, cell_id cell) {
    for (unsigned k = 0; k < c.events[read].cell_count; ++k) {
      const cell_id of_read = c.events[read].cells[k];
      (g.writes & g.of_cell[of_read]).for_each([&](std::size_t w) {
        if ((reader != w && !before.has(reader, w)) || stays_before(read, w)) return;
        const bool overwritten = of_read == cell && (reader == w || hb.has(reader, w));
        if (!overwritten) races.emplace(read, w);
      });
    }
  };
  g.reads.for_each([&](std::size_t read) {
    (g.sb.successors(read) & g.writes).for_each([&](std::size_t store) {
      if (is_kept_behind(store, read, g)) return;
      (g.rf.successors(store) - g.sb.successors(store)).for_each([&](std::size_t reader) {
        const candidate::event& e = c.events[reader];
        for (unsigned k = 0; k < e.cell_count; ++k)
          if (e.sources[k] == store) look_at(read, reader, e.cells[k]);
      });
    });
  });
  return races;
}

template <std::size_t Words>
bool has_load_buffering_race(const candidate& c, const base_relations<Words>& g,
                             const relation<Words>& hb) {
  return !load_buffering_races(c, g, hb).empty();
}

#define FENCEPOST_DEFINE(W)                                                               \
  template struct base_relations<W>;                                                      \
  template struct ordered_cell<W>;                                                        \
  template struct ordered_cells<W>;                                                       \
  template relation<W> happens_before(const base_relations<W>&, bool);                    \
  template bool has_race(const candidate&, const base_relations<W>&, const relation<W>&); \
  template bool has_load_buffering_race(const candidate&, const base_relations<W>&,       \
                                        const relation<W>&);                              \
  template std::set<std::pair<std::size_t, std::size_t>> load_buffering_races(            \
      const candidate&, const base_relations<W>&, const relation<W>&);                    \
  template bool tears(const candidate&, const ordered_cells<W>&);                         \
  template bool psc_acyclic(const base_relations<W>&, const relation<W>&,                 \
                            const ordered_cells<W>&);                                     \
  template bool single_order_exists(const base_relations<W>&, const relation<W>&,         \
                                    const ordered_cells<W>&);
FENCEPOST_EACH_WIDTH(FENCEPOST_DEFINE)

}  // namespace fencepost::axioms
