#include "explore/exploration.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "explore/budgets.hpp"

namespace fencepost::verify {

// ---------------------------------------------------------------------------------------------
// New events.

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

// Is there an older source that was not tried yet? Then the load reads it; its next source will be
// the latest, and then those that are no dead ends. But not where the latest is one as well: the
// thread waits.
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

// Pushes a choice unless there is nothing to choose, and estimates how much there is.
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
  if (c.kind == choice::sources && e.fields() == 2)  // and none for the second field
    sources += c.number(0);
  if (sources + revisits < 2 && !weak) return;
  c.total = sources + revisits;
  c.name = ++choices_made_;
  choices_.push_back(c);
}

// ---------------------------------------------------------------------------------------------
// Backtracking.

void exploration::discard_choices(std::size_t count) {
  choices_.resize(count);
  if (count == 0) ++beginnings_;
}

bool exploration::backtrack() {
  for (;;) {
    if (is_over()) return false;
    if (revisit_is_over()) {
      undo_revisit();
      continue;
    }
    if (change_youngest() == step::run) return true;
  }
}

bool exploration::take_next_source(event_id load) {
  const event& e = graph_.at(load);
  if (e.kind != event_kind::load || e.fields() != 1 || racing_ != 0) return false;
  if (is_over() || revisit_is_over()) return false;
  const choice& c = choices_.back();
  return c.event == load && c.kind == choice::sources && change_youngest() == step::run;
}

// step::exhausted: it is gone.
exploration::step exploration::change_youngest() {
  const step s = change(choices_.back());
  if (s == step::exhausted) choices_.pop_back();
  return s;
}

// Whether a run comes of it; step::again, and `c` is gone: a revisit does.
exploration::step exploration::change(choice& c) {
  if (c.done < c.total) ++c.done;
  ++c.changes;
  const event_id changed = c.event;
  const step s = advance(c);
  if (s != step::run) return s;
  changed_.count(graph_.where(changed));
  look_for_race();
  for_each_changed([&](event_id id) { load_buffering_.look(id); });
  return s;
}

// Of what the next run begins with, these events have other sources than before: the one whose
// choice changed, and, if it was revisited, the read-modify-write that has revisited it.
template <class F>
void exploration::for_each_changed(F&& f) const {
  for (std::size_t i = choices_.size(); i-- > 0;) {
    f(choices_[i].event);
    if (!choices_[i].revisited()) return;
  }
}

void exploration::look_for_race() {
  racing_ = 0;
  if (options_.races_are_outcomes) return;
  for_each_changed([&](event_id id) {
    event_id other = 0;
    if (graph_.at(id).fields() != 0 && consistency_.races(id, other)) racing_ = id;
  });
}

void exploration::restart() {
  racing_ = 0;
  changed_.begin();
  load_buffering_.begin();
  while (frames_used_ > 0) undo_revisit();
  graph_.cut(0);
  choices_.clear();
  last_.clear();
  way_.clear();
  fixed_ = on_way_ = 0;
}

// A revisit pushes a choice: `c` is gone when these return step::again.
exploration::step exploration::advance(choice& c) {
  graph_.cut(c.trail_length);
  switch (c.kind) {
    case choice::sources:
    case choice::given_source:
    case choice::second_sources: return advance_sources(c);
    case choice::positions: return advance_positions(c);
    case choice::revisiting_positions: return advance_revisiting_positions(c);
    case choice::displacing: return std::exchange(c.tried, true) ? step::exhausted : step::run;
    case choice::alternatives: return advance_alternatives(c);
  }
  return step::exhausted;
}

exploration::step exploration::advance_alternatives(choice& c) {
  const event& e = graph_.at(c.event);
  const value next = e.read + 1;
  graph_.set_alternative(c.event, 0);
  if (next >= e.operand || !affordable(graph_, options_, e.charge)) return step::exhausted;
  graph_.set_alternative(c.event, next);
  if (!symmetry_.out_of_order(c.event)) return step::run;
  graph_.set_alternative(c.event, 0);  // every greater one is out of order, too
  return step::exhausted;
}

// The next combination of sources, from the latest down. The fields of a whole-word read must
// belong together. Behind the second fields that go with the first one comes none: the thread is
// blocked, and each write that is added then may become the second field by a revisit. A second
// field that has a source is never revisited: which one there is, as seen from a later write, is
// more than a rule for maximality can say (the first field may be an old one, and rule it out).
bool exploration::next_sources(choice& c) {
  const event& e = graph_.at(c.event);
  graph_.set_torn(c.event, false);
  if (c.kind == choice::given_source)
    return !std::exchange(c.tried, true) && !consistency_.torn_read(c.event);
  for (;;) {
    if (e.fields() == 2) {
      const auto& mo = graph_.history(e.loc[1]).mo;
      while (c.next_high >= c.low[1]) {
        graph_.set_source(c.event, 1, mo[static_cast<std::size_t>(c.next_high--)]);
        if (!consistency_.torn_read(c.event)) return true;
      }
      graph_.set_source(c.event, 1, initial_write);
      graph_.set_torn(c.event, !std::exchange(c.tried, true));
      if (e.torn) return true;
    }
    do {
      if (c.kind == choice::second_sources || c.position[0] == c.low[0]) return false;
    } while (c.passes(--c.position[0]));
    const auto& mo = graph_.history(e.loc[0]).mo;
    graph_.set_source(c.event, 0, mo[static_cast<std::size_t>(c.position[0])]);
    if (e.fields() == 1) return true;
    c.next_high = c.high[1];
    c.tried = false;
  }
}

// Puts back what the cut took of a read that was revisited.
void exploration::reattach(const choice& c) {
  if (c.kind == choice::second_sources) {
    graph_.push_entry(c.event, 1);
    graph_.link_read(c.event, 1);
  }
  update_views(c.event);
}

// For each combination of sources: run with it; then let the event's write, if it writes, revisit
// earlier reads; then, if it is a weak compare-exchange, let it fail.
exploration::step exploration::advance_sources(choice& c) {
  const event_id id = c.event;
  graph_.unlink_write(id);
  for (;;) {
    if (c.stage == choice::revisiting) {
      if (c.revisited()) {
        graph_.cut(c.trail_length);
        reattach(c);
      }
      if (next_revisit(c)) return step::again;
      c.stage = choice::failing;
    }
    if (c.stage == choice::failing && fail_spuriously(c)) return step::run;
    graph_.set_spurious(id, false);
    graph_.cut(c.trail_length);
    const bool first = c.revisited() && !c.tried;
    if (!next_sources(c)) return step::exhausted;
    reattach(c);
    if (!first && graph_.at(id).in_vain()) continue;
    if (take_source(c)) return step::run;
  }
}

bool exploration::fail_spuriously(choice& c) {
  const event_id id = c.event;
  c.stage = choice::next_source;
  if (!graph_.at(id).weak || !may_fail_spuriously(graph_, options_)) return false;
  graph_.cut(c.trail_length);
  graph_.set_spurious(id, true);
  reattach(c);
  // The order of a failure may be the stronger one.
  return !symmetry_.out_of_order(id) && !consistency_.outdated(id) && acyclic(c);
}

// Can the sequentially consistent events be ordered? With its source, a read that was revisited has
// a write that is new as well.
bool exploration::acyclic(const choice& c) {
  const event& e = graph_.at(c.event);
  bool ordered = consistency_.acyclic(c.event);
  for (unsigned k = 0; c.revisited() && k < e.fields(); ++k)
    ordered = ordered && (e.rf[k] == initial_write || consistency_.acyclic(e.rf[k]));
  return ordered;
}

// Is the graph consistent with the source that the event has now, as to what it reads?
bool exploration::is_consistent(const choice& c) {
  const event& e = graph_.at(c.event);
  // What reads the latest, and was written last, has no successors in the order.
  bool youngest = true;
  for (unsigned k = 0; k < e.fields(); ++k) youngest = youngest && graph_.reads_latest(c.event, k);
  return youngest || (!consistency_.outdated(c.event) && acyclic(c));
}

// Is the graph consistent with the source that the event has now, or may revisits make it so?
// Decides what comes next.
bool exploration::take_source(choice& c) {
  const event_id id = c.event;
  const event& e = graph_.at(id);
  if (symmetry_.out_of_order(id)) return false;
  const bool consistent = is_consistent(c);
  if (!consistent) {  // failing may have a weaker order
    if (e.succeeds()) c.stage = choice::failing;
    return false;
  }
  c.cursor = choice::unbegun;
  if (!e.succeeds()) {
    c.stage = choice::next_source;
    return true;
  }
  // Two read-modify-writes of one source are inconsistent; revisits may mend that, unless the
  // other one is needed for this one.
  c.stage = choice::revisiting;
  bool conflict = false, hopeless = false;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const event_id other = graph_.rmw_after(e.rf[k], e.loc[k], id);
    if (other == 0) continue;
    conflict = true;
    if (!graph_.view(id).porf.covers(other)) continue;
    hopeless = true;
    load_buffering_.look_at_conflict(other, id, e.loc[k]);
  }
  if (hopeless) c.stage = choice::failing;
  if (conflict) return false;
  graph_.link_rmw(id);
  // One field's write may come after what another field's read comes before.
  if (e.fields() == 2 && (consistency_.torn_write(id) || !acyclic(c))) {
    graph_.unlink_write(id);
    return false;
  }
  if (c.revisited()) graph_.push_entry(id, 2);
  return true;
}

// The next position, or pair of positions, of a write that is not linked. False: there is none.
bool exploration::next_position(choice& c) {
  const event_id id = c.event;
  const event& e = graph_.at(id);
  for (;;) {
    if (e.fields() == 1) {
      if (--c.position[0] < c.low[0]) return false;
    } else if (--c.position[1] < c.low[1]) {
      c.position[1] = c.high[1];
      if (--c.position[0] < c.low[0]) return false;
    }
    bool possible = true;
    for (unsigned k = 0; k < e.fields(); ++k)
      possible = possible && graph_.may_follow(id, k, c.position[k]);
    if (!possible) continue;
    for (unsigned k = 0; k < e.fields(); ++k)
      graph_.link_write(id, k, static_cast<unsigned>(c.position[k]) + 1);
    if (!consistency_.torn_write(id)) return true;
    graph_.unlink_write(id);
  }
}

exploration::step exploration::advance_positions(choice& c) {
  graph_.unlink_write(c.event);
  if (c.stage != choice::revisiting) {
    while (next_position(c)) {
      if (!symmetry_.out_of_order(c.event) && consistency_.acyclic(c.event)) return step::run;
      graph_.unlink_write(c.event);
    }
    c.stage = choice::revisiting;
  }
  return next_revisit(c) ? step::again : step::exhausted;
}

bool exploration::unchanged_since(const choice_name& c, std::size_t trail_index) const noexcept {
  for (std::size_t n = frames_used_; n-- > 0 && frames_[n]->choices >= c.choices;)
    if (frames_[n]->reader < trail_index) return false;
  return true;
}

}  // namespace fencepost::verify
