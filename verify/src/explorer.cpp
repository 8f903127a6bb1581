#include "explorer.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

namespace {

// All threads, those that are named first.
std::vector<unsigned> by_priority(const options& o) {
  std::vector<unsigned> all = o.priorities;
  all.erase(std::remove_if(all.begin(), all.end(), [](unsigned t) { return t >= max_threads; }),
            all.end());
  for (unsigned t = 0; t < max_threads; ++t)
    if (std::find(all.begin(), all.end(), t) == all.end()) all.push_back(t);
  return all;
}

}  // namespace

explorer::explorer(const options& o, std::function<void()> body)
    : options_(o),
      body_(std::move(body)),
      model_(graph_, o.model),
      preferred_(by_priority(o)),
      by_priority_{0},
      symmetry_(graph_, o, preferred_),
      table_(o.changes) {
  if (options_.list_places || !options_.changes.empty()) orders_ = &table_;
  // An exchange that is made weak is one that may fail, also where the bound says that none does.
  for (const order_change& c : options_.changes)
    if (c.which == order_change::part::strength)
      options_.spurious_failures = std::max(options_.spurious_failures, 1U);
  arena_.reserve(options_.memory_size);
  options_.max_events = std::min<std::size_t>(options_.max_events, most_events);
}

explorer::~explorer() = default;

// ---------------------------------------------------------------------------------------------
// New events: first as the youngest in every order; what else is possible becomes a choice.

void explorer::add_read(event_id id) {
  if (sampling()) [[unlikely]] {
    draw_sources(id);
    return;
  }
  if (graph_.at(id).fields() == 2) graph_.push_entry(id, 1);
  event& e = graph_.at(id);
  choice c{};
  c.kind = choice::sources;
  c.trail_length = graph_.trail.size();
  c.event = id;
  bool others = false;
  for (unsigned k = 0; k < e.fields(); ++k) {
    place& p = graph_.places[e.loc[k]];
    if (e.success == order::plain) p.plain_access = true;
    e.rf[k] = p.mo.back();
    graph_.link_read(id, k);
    c.high[k] = static_cast<std::int32_t>(p.mo.size()) - 1;
    c.low[k] = static_cast<std::int32_t>(model_.lowest(id, k));
    others = others || c.low[k] < c.high[k];
  }
  settle(id);
  c.position[0] = c.high[0];
  c.next_high = e.fields() == 2 ? c.high[1] - 1 : 0;
  c.wrote = e.succeeds();
  if (c.wrote) graph_.link_rmw(id);
  c.stage = c.wrote ? choice::revisiting : choice::next_source;
  if (!c.wrote && !others && e.fields() == 1) return;
  remember(c);
}

void explorer::add_write(event_id id) {
  if (sampling()) [[unlikely]]
    return draw_places(id);
  event& e = graph_.at(id);
  choice c{};
  c.kind = choice::places;
  c.trail_length = graph_.trail.size();
  c.event = id;
  for (unsigned k = 0; k < e.fields(); ++k) {
    place& p = graph_.places[e.loc[k]];
    if (e.success == order::plain) p.plain_access = true;
    c.high[k] = static_cast<std::int32_t>(p.mo.size()) - 1;
    c.low[k] = static_cast<std::int32_t>(model_.lowest(id, k));
  }
  settle(id);
  for (unsigned k = 0; k < e.fields(); ++k)
    graph_.link_write(id, k, static_cast<unsigned>(c.high[k]) + 1);
  c.position[0] = c.high[0];
  c.position[1] = c.high[1];
  remember(c);
}

void explorer::add_choice(event_id id) {
  if (sampling()) [[unlikely]]
    return draw_alternative(id);
  settle(id);
  event& e = graph_.at(id);
  if (e.operand < 2) return;
  choice c{};
  c.kind = choice::alternatives;
  c.trail_length = graph_.trail.size();
  c.event = id;
  remember(c);
}

// Pushes a choice unless there is nothing to choose, and estimates how much there is.
void explorer::remember(choice& c) {
  const event& e = graph_.at(c.event);
  std::uint64_t sources = 1;
  for (unsigned k = 0; k < e.fields(); ++k) sources *= c.number(k);
  std::uint64_t revisits = 0;
  if (e.writes()) {
    const clock& prefix = graph_.view(c.event).porf;
    for (unsigned k = 0; k < e.fields(); ++k) {
      const place& p = graph_.places[e.loc[k]];
      if (graph_.has_many(e.loc[k])) [[unlikely]] {
        for (unsigned t = 0; t < p.accesses.size(); ++t)
          revisits += graph_.reads_after(e.loc[k], t, prefix[t]);
      } else {
        for (const event_id r : p.readers)
          if (!prefix.covers(r)) ++revisits;
      }
    }
  }
  if (c.kind == choice::alternatives) sources = e.operand;
  const bool weak = e.weak && e.succeeds() && graph_.spurious < options_.spurious_failures;
  if (c.kind == choice::sources && e.fields() == 2)  // and none for the second field
    sources += c.number(0);
  if (sources + revisits < 2 && !weak) return;
  c.total = sources + revisits;
  choices_.push_back(c);
}

// ---------------------------------------------------------------------------------------------
// Backtracking.

bool explorer::backtrack() {
  for (;;) {
    const std::size_t floor = frames_used_ == 0 ? 0 : frames_[frames_used_ - 1]->choices;
    if (choices_.size() == floor) {
      if (frames_used_ == 0) return false;
      undo_revisit();
      continue;
    }
    const std::size_t top = choices_.size() - 1;
    if (choices_[top].done < choices_[top].total) ++choices_[top].done;
    switch (advance(top)) {
      case outcome_of_step::run: return true;
      case outcome_of_step::again: continue;
      case outcome_of_step::exhausted: choices_.pop_back();
    }
  }
}

bool explorer::affordable(budget charge) const {
  switch (charge) {
    case budget::none: return true;
    case budget::spurious_wakeup: return graph_.wakeups < options_.spurious_wakeups;
    case budget::timeout: return graph_.timeouts < options_.timeouts;
    case budget::address: return graph_.addresses < 1;
  }
  return false;
}

explorer::outcome_of_step explorer::advance(std::size_t i) {
  choice& c = choices_[i];
  graph_.cut(c.trail_length);
  switch (c.kind) {
    case choice::sources: return advance_sources(i);
    case choice::places: return advance_places(i);
    case choice::revisited_places: return advance_revisited(i);
    case choice::alternatives: {
      event& e = graph_.at(c.event);
      graph_.spend(e, ~0u);
      const value next = e.read + 1;
      e.read = 0;
      if (next >= e.operand || !affordable(e.charge)) return outcome_of_step::exhausted;
      e.read = next;
      if (symmetry_.out_of_order(c.event)) {  // as is every greater one
        e.read = 0;
        return outcome_of_step::exhausted;
      }
      graph_.spend(e, 1);
      return outcome_of_step::run;
    }
  }
  return outcome_of_step::exhausted;
}

// The next combination of sources, from the latest down. The fields of a whole-word read must
// belong together. Behind the second fields that go with the first one comes none: the thread is
// blocked, and each write that is added then may become the second field by a revisit. A second
// field that is there is never revisited: which one is there, as seen from a later write, is more
// than a rule for what is canonical can say (the first field may be an old one, and rule it out).
bool explorer::next_sources(choice& c) {
  event& e = graph_.at(c.event);
  e.torn = false;
  if (c.revisited && !c.second_part) return !std::exchange(c.tried, true) && !torn(c.event);
  for (;;) {
    if (e.fields() == 2) {
      const auto& mo = graph_.places[e.loc[1]].mo;
      while (c.next_high >= c.low[1]) {
        e.rf[1] = mo[static_cast<std::size_t>(c.next_high--)];
        if (!torn(c.event)) return true;
      }
      e.rf[1] = initial_write;
      e.torn = !std::exchange(c.tried, true);
      if (e.torn) return true;
    }
    if (c.second_part || c.position[0] == c.low[0]) return false;
    e.rf[0] = graph_.places[e.loc[0]].mo[static_cast<std::size_t>(--c.position[0])];
    if (e.fields() == 1) return true;
    c.next_high = c.high[1];
    c.tried = false;
  }
}

bool explorer::torn(event_id id) const {
  return graph_.at(id).fields() == 2 && model_.torn_read(id);
}

// Does this field read a write that is the last one wherever it writes?
bool explorer::latest(event_id id, unsigned field) const {
  const event& e = graph_.at(id);
  if (e.rf[field] != graph_.places[e.loc[field]].mo.back()) return false;
  if (e.rf[field] == initial_write) return true;
  const event& source = graph_.at(e.rf[field]);
  for (unsigned k = 0; k < source.fields(); ++k)
    if (graph_.places[source.loc[k]].mo.back() != e.rf[field]) return false;
  return true;
}

// For each combination of sources: run with it; then let the event's write, if it writes, revisit
// earlier reads; then, if it is a weak compare-exchange, let it fail.
explorer::outcome_of_step explorer::advance_sources(std::size_t i) {
  const event_id id = choices_[i].event;
  // Puts back what the cut took of a read that was revisited.
  const auto attach = [&] {
    if (choices_[i].second_part) {
      graph_.push_entry(id, 1);
      graph_.link_read(id, 1);
    }
    settle(id);
  };
  graph_.unlink_write(id);
  for (;;) {
    choice& c = choices_[i];
    event& e = graph_.at(id);
    if (c.stage == choice::revisiting) {
      if (c.revisited) {
        graph_.cut(c.trail_length);
        attach();
      }
      if (next_revisit(i)) return outcome_of_step::again;
      c.stage = choice::failing;
    }
    if (c.stage == choice::failing) {
      c.stage = choice::next_source;
      if (e.weak && graph_.spurious < options_.spurious_failures) {
        graph_.cut(c.trail_length);
        e.spurious = true;
        ++graph_.spurious;
        attach();
        // The order of a failure may be the stronger one.
        if (!symmetry_.out_of_order(id) && !model_.outdated(id) && model_.acyclic())
          return outcome_of_step::run;
      }
    }
    // Next source.
    if (e.spurious) {
      e.spurious = false;
      --graph_.spurious;
    }
    graph_.cut(c.trail_length);
    const bool first = c.revisited && !c.tried;
    if (!next_sources(c)) return outcome_of_step::exhausted;
    attach();
    if (e.awaits && e.read != e.expected && !first) continue;
    if (symmetry_.out_of_order(id)) continue;
    // What reads the latest, and was written last, has no successors in the order.
    bool youngest = true;
    for (unsigned k = 0; k < e.fields(); ++k) youngest = youngest && latest(id, k);
    const bool consistent =
        youngest || (!model_.outdated(id) && (c.revisited ? model_.acyclic() : model_.acyclic(id)));
    if (!consistent) {  // failing may have a weaker order
      if (e.succeeds()) c.stage = choice::failing;
      continue;
    }
    c.cursor = choice::unbegun;
    c.wrote = e.succeeds();
    if (!c.wrote) {
      c.stage = choice::next_source;
      return outcome_of_step::run;
    }
    // Two read-modify-writes of one source are inconsistent; revisits may mend that, unless the
    // other one is needed for this one.
    c.stage = choice::revisiting;
    bool conflict = false, hopeless = false;
    for (unsigned k = 0; k < e.fields(); ++k) {
      const event_id other = graph_.rmw_after(e.rf[k], e.loc[k], id);
      if (other == 0) continue;
      conflict = true;
      hopeless = hopeless || graph_.view(id).porf.covers(other);
    }
    if (hopeless) {
      c.stage = choice::failing;
      continue;
    }
    if (conflict) continue;
    graph_.link_rmw(id);
    // One field's write may come after what another field's read comes before.
    if (e.fields() == 2 && (model_.torn_write(id) || !model_.acyclic())) {
      graph_.unlink_write(id);
      continue;
    }
    if (c.revisited) graph_.push_entry(id, 2);
    return outcome_of_step::run;
  }
}

// May a write stand right behind `position`? Not between a read-modify-write and its source.
bool explorer::may_stand(event_id id, unsigned field, std::int32_t position) const {
  const location l = graph_.at(id).loc[field];
  const auto& mo = graph_.places[l].mo;
  return graph_.rmw_after(mo[static_cast<std::size_t>(position)], l, 0) == 0;
}

// The next place, or pair of places, of a write that is not linked. False: there is none.
bool explorer::next_place(choice& c) {
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
      possible = possible && may_stand(id, k, c.position[k]);
    if (!possible) continue;
    for (unsigned k = 0; k < e.fields(); ++k)
      graph_.link_write(id, k, static_cast<unsigned>(c.position[k]) + 1);
    if (e.fields() == 1 || !model_.torn_write(id)) return true;
    graph_.unlink_write(id);
  }
}

explorer::outcome_of_step explorer::advance_places(std::size_t i) {
  graph_.unlink_write(choices_[i].event);
  if (choices_[i].stage != choice::revisiting) {
    while (next_place(choices_[i])) {
      const event_id id = choices_[i].event;
      if (!symmetry_.out_of_order(id) && model_.acyclic(id)) return outcome_of_step::run;
      graph_.unlink_write(id);
    }
    choices_[i].stage = choice::revisiting;
  }
  return next_revisit(i) ? outcome_of_step::again : outcome_of_step::exhausted;
}

// ---------------------------------------------------------------------------------------------
// Revisits.

// Was this part of the event added in the canonical way, seen from what was there before it and
// what the revisiting write needs?
bool explorer::canonical(const entry& t, const clock& prefix) const {
  const event& e = graph_.at(t.id);
  if (e.kind == event_kind::choose) return e.read == 0;
  if (t.part == 2 || e.fields() == 0) return true;
  if (e.spurious) return false;
  const auto present = [&](event_id x) {
    return x == initial_write || prefix.covers(x) || graph_.stamp(x) < t.stamp;
  };
  if (e.reads()) {
    const auto& mo = graph_.places[e.loc[t.part]].mo;
    std::size_t i = mo.size() - 1;
    while (mo[i] == t.id || !present(mo[i])) --i;
    if (mo[i] != e.rf[t.part]) return false;
  } else {
    for (unsigned k = 0; k < e.fields(); ++k) {
      const auto& mo = graph_.places[e.loc[k]].mo;
      for (std::size_t i = mo.size() - 1; mo[i] != t.id; --i)
        if (present(mo[i])) return false;
    }
  }
  if (!e.writes()) return true;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const location l = e.loc[k];
    for (const event_id r : graph_.places[l].readers) {
      const event& reader = graph_.at(r);
      const unsigned f = reader.field_at(l);
      if (reader.rf[f] == t.id && reader.stamp[f] < t.stamp) return false;
    }
  }
  return true;
}

// Goes down the trail, from the event to the oldest: as long as all that a revisit would delete is
// canonical, each read of a location that the event writes is a candidate. An earlier read would
// delete a superset, so the first that is not canonical ends the search. So does a second field
// that a thread waits for, which is a candidate itself.
bool explorer::next_revisit(std::size_t i) {
  const event_id id = choices_[i].event;
  if (choices_[i].cursor == choice::unbegun) choices_[i].cursor = graph_.trail.size();
  while (choices_[i].cursor > 0) {
    choice& c = choices_[i];
    const std::size_t at = --c.cursor;
    const entry t = graph_.trail[at];
    const clock& prefix = graph_.view(id).porf;
    if (prefix.covers(t.id)) continue;
    const event& target = graph_.at(t.id);
    const bool waits = t.part == 1 && target.torn;
    if (waits)
      c.cursor = 0;
    else if (!canonical(t, prefix))
      break;
    const bool candidate = waits || (t.part == 0 && target.reads());
    if (candidate && graph_.at(id).touches(target.loc[t.part]) && revisit(id, at)) return true;
  }
  choices_[i].cursor = 0;
  return false;
}

// Makes the read at trail[target] read from `writer`, and deletes what was added after it and is
// not needed for the writer. False, with nothing changed, if that is inconsistent at once.
bool explorer::revisit(event_id writer, std::size_t target) {
  const entry t = graph_.trail[target];
  const event_id reader = t.id;
  const clock prefix = graph_.view(writer).porf;

  if (frames_used_ == frames_.size()) frames_.push_back(std::make_unique<frame>());
  frame& f = *frames_[frames_used_++];
  f.choices = choices_.size();
  f.kept_trail = target + 1;
  f.trail.assign(graph_.trail.begin() + static_cast<std::ptrdiff_t>(target) + 1,
                 graph_.trail.end());
  f.events.clear();
  f.place_count = 0;
  f.spurious = graph_.spurious;
  f.wakeups = graph_.wakeups;
  f.timeouts = graph_.timeouts;
  f.addresses = graph_.addresses;

  const auto save_places = [&](const event& e) {
    for (unsigned k = 0; k < e.fields(); ++k) {
      bool known = false;
      for (std::size_t i = 0; i < f.place_count; ++i) known = known || f.places[i].at == e.loc[k];
      if (known) continue;
      if (f.place_count == f.places.size()) f.places.emplace_back();
      frame::saved_place& p = f.places[f.place_count++];
      p.at = e.loc[k];
      p.mo = graph_.places[e.loc[k]].mo;
      p.readers = graph_.places[e.loc[k]].readers;
    }
  };
  const auto save = [&](event_id id) {
    const graph::log& l = graph_.logs[thread_of(id)];
    f.events.push_back({id, l.events[index_of(id)], l.view[index_of(id)], l.where[index_of(id)]});
    save_places(graph_.at(id));
  };
  for (const entry& x : f.trail)
    if (x.part == 0 && !prefix.covers(x.id)) save(x.id);
  f.changed = f.events.size();
  save(reader);
  save(writer);

  graph_.unlink_write(reader);
  graph_.trail.resize(target + 1);
  for (std::size_t i = f.trail.size(); i-- > 0;) {
    const entry& x = f.trail[i];
    if (prefix.covers(x.id)) continue;
    graph_.unlink_write(x.id);
    if (x.part == 2) continue;
    graph_.unlink_read(x.id, x.part);
    if (x.part == 0) graph_.remove_last(thread_of(x.id));
  }
  for (const entry& x : f.trail)
    if (prefix.covers(x.id)) graph_.trail.push_back(x);
  f.base_trail = graph_.trail.size();

  event& r = graph_.at(reader);
  const event& w = graph_.at(writer);
  r.torn = false;
  r.rf[t.part] = writer;

  if (w.kind == event_kind::store) {
    choice c{};
    c.kind = choice::revisited_places;
    c.trail_length = graph_.trail.size();
    c.event = writer;
    c.reader = reader;
    c.field = static_cast<std::uint8_t>(t.part);
    c.total = 1;
    for (unsigned k = 0; k < w.fields(); ++k) {
      c.high[k] = static_cast<std::int32_t>(graph_.places[w.loc[k]].mo.size()) - 1;
      unsigned low = model_.lowest(writer, k);
      if (w.loc[k] == r.loc[t.part]) low = std::max(low, model_.lowest(reader, t.part));
      c.low[k] = static_cast<std::int32_t>(low);
      c.total *= c.number(k);
    }
    c.position[0] = w.fields() == 1 ? c.high[0] + 1 : c.high[0];
    c.position[1] = c.high[1] + 1;
    choices_.push_back(c);
    return true;
  }
  bool possible = true;
  for (unsigned k = 0; k < w.fields(); ++k) {
    const location l = w.loc[k];
    if (graph_.rmw_after(w.rf[k], l, writer) != 0) possible = false;
    if (l == r.loc[t.part] && graph_.mo_position(w.rf[k], l) < model_.lowest(reader, t.part))
      possible = false;
  }
  if (possible) {
    graph_.link_rmw(writer);
    possible = w.fields() == 1 || !model_.torn_write(writer);
  }
  if (!possible) {
    undo_revisit();
    return false;
  }
  choose_sources_of_revisited(reader, t.part);
  return true;
}

// The read has its new source; what else there is to choose for it: the other field, failing
// spuriously, revisits by its own write.
void explorer::choose_sources_of_revisited(event_id reader, unsigned field) {
  const event& r = graph_.at(reader);
  choice c{};
  c.kind = choice::sources;
  c.trail_length = graph_.trail.size();
  c.event = reader;
  c.revisited = true;
  c.second_part = r.fields() == 2 && field == 0;
  c.stage = choice::next_source;
  c.total = 1;
  if (c.second_part) {
    c.high[1] = static_cast<std::int32_t>(graph_.places[r.loc[1]].mo.size()) - 1;
    c.low[1] = static_cast<std::int32_t>(model_.lowest(reader, 1));
    c.next_high = c.high[1];
    c.total = c.number(1);
  }
  choices_.push_back(c);
}

explorer::outcome_of_step explorer::advance_revisited(std::size_t i) {
  choice& c = choices_[i];
  graph_.unlink_write(c.reader);
  graph_.at(c.reader).torn = false;
  do {
    graph_.unlink_write(c.event);
    if (!next_place(c)) return outcome_of_step::exhausted;
  } while (symmetry_.out_of_order(c.event));
  choose_sources_of_revisited(c.reader, c.field);
  return outcome_of_step::again;
}

void explorer::undo_revisit() {
  frame& f = *frames_[--frames_used_];
  graph_.cut(f.base_trail);
  graph_.trail.resize(f.kept_trail);
  for (std::size_t i = 0; i < f.events.size(); ++i) {
    const frame::saved_event& s = f.events[i];
    graph::log& l = graph_.logs[thread_of(s.id)];
    if (i < f.changed) {
      graph_.restore_last(thread_of(s.id), s.data, s.view, s.where);
    } else {
      l.events[index_of(s.id)] = s.data;
      l.view[index_of(s.id)] = s.view;
    }
  }
  graph_.trail.insert(graph_.trail.end(), f.trail.begin(), f.trail.end());
  for (std::size_t i = 0; i < f.place_count; ++i) {
    place& p = graph_.places[f.places[i].at];
    p.mo.swap(f.places[i].mo);
    p.readers.swap(f.places[i].readers);
    graph_.renumber(f.places[i].at);
  }
  graph_.spurious = f.spurious;
  graph_.wakeups = f.wakeups;
  graph_.timeouts = f.timeouts;
  graph_.addresses = f.addresses;
}

// The part of the search tree that lies to the left of where we are.
double explorer::fraction() const {
  double done = 0, width = 1;
  for (const choice& c : choices_) {
    const auto total = static_cast<double>(std::max<std::uint64_t>(c.total, 1));
    done += width * std::min(static_cast<double>(c.done), total - 1) / total;
    width /= total;
  }
  return std::min(done, 1.0);
}

}  // namespace fencepost::verify
