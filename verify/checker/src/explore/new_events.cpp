// Adding an event to the graph, and the choices that it leaves.

#include <algorithm>
#include <bit>

#include "explore/budgets.hpp"
#include "explore/exploration.hpp"

namespace fencepost::verify {

void exploration::add(event_id id, dead_ends* to_try) {
  const event& e = graph_.at(id);
  switch (e.kind) {
    case event_kind::load:
    case event_kind::rmw: add_read(id, to_try); break;
    case event_kind::store: add_write(id); break;
    default:
      update_views(id);
      if (e.kind != event_kind::choose || e.operand < 2) break;
      choice c{};
      c.kind = choice::alternatives;
      c.trail_length = graph_.trail().size();
      c.event = id;
      remember(c);
  }
  load_buffering_.look(id);
}

void exploration::add_read(event_id id, dead_ends* to_try) {
  if (graph_.at(id).fields() == 2) graph_.push_entry(id, 1);
  const event& e = graph_.at(id);
  choice c{};
  c.kind = choice::sources;
  c.trail_length = graph_.trail().size();
  c.event = id;
  bool others = false;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const auto& mo = graph_.history(e.loc[k]).mo;
    graph_.set_source(id, k, mo.back());
    graph_.link_read(id, k);
    c.high[k] = static_cast<std::int32_t>(mo.size()) - 1;
    c.low[k] = static_cast<std::int32_t>(consistency_.lowest(id, k));
    others = others || c.low[k] < c.high[k];
  }
  update_views(id);
  c.position[0] = c.high[0];
  c.next_high = e.fields() == 2 ? c.high[1] - 1 : 0;
  if (to_try != nullptr) {
    if (try_older(c, *to_try)) return;
    others = c.number(0) > static_cast<unsigned>(std::popcount(c.passed)) + 1;
  }
  const bool writes = e.succeeds();
  if (writes) graph_.link_rmw(id);
  c.stage = writes ? choice::revisiting : choice::next_source;
  if (!writes && !others && e.fields() == 1) return;
  remember(c);
}

// If an older source of the load was not tried yet, lets the load read it and returns true: its
// next source will be the latest, then those that are not dead ends. If the latest value is a dead
// end as well, no older source is tried: the thread waits.
bool exploration::try_older(choice& c, dead_ends& known) {
  known.begin(c.event);
  const location at = graph_.at(c.event).loc[0];
  const int older = std::min(c.high[0] - c.low[0], dead_ends::most);
  const auto source = [&](int nth) {
    return graph_.history(at).mo[static_cast<std::size_t>(c.high[0] - 1 - nth)];
  };
  const auto leads = [&](int nth) { return known.of(graph_.written(source(nth), at)); };
  for (int nth = 0; nth < older; ++nth)
    if (leads(nth) == dead_ends::kind::dead) c.passed |= std::uint64_t{1} << nth;
  for (int nth = older; nth-- > 0 && leads(-1) != dead_ends::kind::dead;) {
    if (leads(nth) != dead_ends::kind::untried) continue;
    graph_.set_source(c.event, 0, source(nth));
    update_views(c.event);
    if (symmetry_.out_of_order(c.event) || !is_consistent(c)) {
      c.passed |= std::uint64_t{1} << nth;
      continue;
    }
    known.begin_try();
    c.position[0] = c.high[0] + 1;
    remember(c);
    choices_.back().passed |= std::uint64_t{1} << nth;
    return true;
  }
  graph_.set_source(c.event, 0, graph_.history(at).mo.back());
  update_views(c.event);
  return false;
}

void exploration::add_write(event_id id) {
  const event& e = graph_.at(id);
  choice c{};
  c.kind = choice::positions;
  c.trail_length = graph_.trail().size();
  c.event = id;
  for (unsigned k = 0; k < e.fields(); ++k) {
    c.high[k] = static_cast<std::int32_t>(graph_.history(e.loc[k]).mo.size()) - 1;
    c.low[k] = static_cast<std::int32_t>(consistency_.lowest(id, k));
  }
  update_views(id);
  for (unsigned k = 0; k < e.fields(); ++k)
    graph_.link_write(id, k, static_cast<unsigned>(c.high[k]) + 1);
  c.position[0] = c.high[0];
  c.position[1] = c.high[1];
  remember(c);
}

// Pushes the choice unless it has no alternatives; estimates how many there are.
void exploration::remember(choice& c) {
  const event& e = graph_.at(c.event);
  std::uint64_t sources = 1;
  for (unsigned k = 0; k < e.fields(); ++k) sources *= c.number(k);
  std::uint64_t revisits = 0;
  if (e.writes()) {
    const clock& prefix = graph_.view(c.event).porf;
    for (unsigned k = 0; k < e.fields(); ++k) {
      const location_history& h = graph_.history(e.loc[k]);
      if (graph_.has_many(e.loc[k])) [[unlikely]] {
        for (unsigned t = 0; t < h.accesses.size(); ++t)
          revisits += graph_.reads_after(e.loc[k], t, prefix[t]);
      } else {
        for (const event_id r : h.readers)
          if (!prefix.covers(r)) ++revisits;
      }
    }
  }
  if (c.kind == choice::alternatives) sources = e.operand;
  const bool weak = e.weak && e.succeeds() && may_fail_spuriously(graph_, options_);
  if (c.kind == choice::sources && e.fields() == 2)  // also without the second field
    sources += c.number(0);
  if (sources + revisits < 2 && !weak) return;
  c.total = sources + revisits;
  c.name = ++choices_made_;
  choices_.push_back(c);
}

}  // namespace fencepost::verify
