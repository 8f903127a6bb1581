// Revisits: an earlier read is made to read from a write that was added after it.

#include <algorithm>

#include "explore/exploration.hpp"

namespace fencepost::verify {

bool exploration::maximal(const entry& t, const clock& prefix) const {
  const event& e = graph_.at(t.id);
  if (e.kind == event_kind::choose) return e.read == 0;
  if (t.part == 2 || e.fields() == 0) return true;
  if (e.spurious || e.displaces) return false;
  const auto present = [&](event_id x) {
    return x == initial_write || prefix.covers(x) || graph_.stamp(x) < t.stamp;
  };
  if (e.reads()) {
    const auto& mo = graph_.history(e.loc[t.part]).mo;
    std::size_t i = mo.size() - 1;
    while (mo[i] == t.id || !present(mo[i])) --i;
    if (mo[i] != e.rf[t.part]) return false;
  } else {
    for (unsigned k = 0; k < e.fields(); ++k) {
      const auto& mo = graph_.history(e.loc[k]).mo;
      for (std::size_t i = mo.size() - 1; mo[i] != t.id; --i)
        if (present(mo[i])) return false;
    }
  }
  if (!e.writes()) return true;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const location l = e.loc[k];
    for (const event_id r : graph_.history(l).readers) {
      const event& reader = graph_.at(r);
      const unsigned f = reader.field_at(l);
      if (reader.rf[f] == t.id && reader.stamp[f] < t.stamp) return false;
    }
  }
  return true;
}

// Goes down the trail from the event to the oldest entry: as long as everything that a revisit
// would delete is maximal, each read of a location that the event writes is a candidate. Revisiting
// an earlier read would delete a superset, so the first entry that is not maximal ends the search.
// So does a second field that a thread waits for, which is a candidate itself.
bool exploration::next_revisit(choice& c) {
  const event_id id = c.event;
  if (c.cursor == choice::unbegun) c.cursor = graph_.trail().size();
  while (c.cursor > 0) {
    const std::size_t at = --c.cursor;
    const entry t = graph_.trail()[at];
    const clock& prefix = graph_.view(id).porf;
    if (prefix.covers(t.id)) continue;
    const event& target = graph_.at(t.id);
    const bool waits = t.part == 1 && target.torn;
    if (waits)
      c.cursor = 0;
    else if (!maximal(t, prefix))
      break;
    const bool candidate = waits || (t.part == 0 && target.reads());
    if (candidate && graph_.at(id).touches(target.loc[t.part]) && revisit(id, at)) return true;
  }
  c.cursor = 0;
  return false;
}

exploration::frame& exploration::new_frame() {
  if (frames_used_ == frames_.size()) frames_.push_back(std::make_unique<frame>());
  frame& f = *frames_[frames_used_++];
  f.choices = choices_.size();
  return f;
}

// Makes the read at trail[target] read from `writer`, and deletes what was added after it and is
// not needed for the writer. Returns false, with nothing changed, if that is inconsistent at once;
// true if a choice was pushed, which leaves references to other choices dangling.
bool exploration::revisit(event_id writer, std::size_t target) {
  const entry t = graph_.trail()[target];
  frame& f = new_frame();
  if (displaces(writer, t)) return displace(writer, target, f);
  f.reader = target;
  while (graph_.trail()[f.reader].id != t.id || graph_.trail()[f.reader].part != 0) --f.reader;
  graph_.delete_after_revisit(target, writer, f.deleted);
  graph_.set_torn(t.id, false);
  graph_.set_source(t.id, t.part, writer);
  return graph_.at(writer).kind == event_kind::store ? revisit_with_store(writer, t.id, t.part)
                                                     : revisit_with_rmw(writer, t.id, t.part);
}

bool exploration::revisit_with_store(event_id writer, event_id reader, unsigned field) {
  const event& r = graph_.at(reader);
  const event& w = graph_.at(writer);
  choice c{};
  c.kind = choice::revisiting_positions;
  c.trail_length = graph_.trail().size();
  c.event = writer;
  c.reader = reader;
  c.field = static_cast<std::uint8_t>(field);
  c.total = 1;
  for (unsigned k = 0; k < w.fields(); ++k) {
    c.high[k] = static_cast<std::int32_t>(graph_.history(w.loc[k]).mo.size()) - 1;
    unsigned low = consistency_.lowest(writer, k);
    if (w.loc[k] == r.loc[field]) low = std::max(low, consistency_.lowest(reader, field));
    c.low[k] = static_cast<std::int32_t>(low);
    c.total *= c.number(k);
  }
  c.position[0] = w.fields() == 1 ? c.high[0] + 1 : c.high[0];
  c.position[1] = c.high[1] + 1;
  choices_.push_back(c);
  return true;
}

bool exploration::revisit_with_rmw(event_id writer, event_id reader, unsigned field) {
  const location read = graph_.at(reader).loc[field];
  const event& w = graph_.at(writer);
  bool possible = true;
  for (unsigned k = 0; k < w.fields(); ++k) {
    const location l = w.loc[k];
    if (graph_.rmw_after(w.rf[k], l, writer) != 0) possible = false;
    if (l == read && graph_.mo_position(w.rf[k], l) < consistency_.lowest(reader, field))
      possible = false;
  }
  if (possible) {
    graph_.link_rmw(writer);
    possible = !consistency_.torn_write(writer);
  }
  if (!possible) {
    undo_revisit();
    return false;
  }
  choose_sources_of_revisited(reader, field);
  return true;
}

// True if the read is that of a lock(), which would be blocked behind the writer. It is then
// deleted, not revisited, and its thread waits like one that has not had its turn: see
// docs/checker.md.
bool exploration::displaces(event_id writer, const entry& target) const {
  const event& r = graph_.at(target.id);
  const event& w = graph_.at(writer);
  return r.awaits && r.waits == wait_for::mutex && r.succeeds() && w.kind == event_kind::rmw &&
         w.rf[0] == r.rf[0] && graph_.stamp(r.rf[0]) < target.stamp;
}

bool exploration::displace(event_id writer, std::size_t target, frame& f) {
  f.reader = target;
  graph_.delete_with_reader(target, writer, f.deleted);
  graph_.link_rmw(writer);
  graph_.set_displaces(writer);
  choice c{};
  c.kind = choice::displacing;
  c.trail_length = graph_.trail().size();
  c.event = writer;
  c.total = 1;
  choices_.push_back(c);
  return true;
}

// The read has its new source. Left to choose are its other field, a spurious failure, and revisits
// by its own write.
void exploration::choose_sources_of_revisited(event_id reader, unsigned field) {
  const event& r = graph_.at(reader);
  choice c{};
  c.kind = r.fields() == 2 && field == 0 ? choice::second_sources : choice::given_source;
  c.trail_length = graph_.trail().size();
  c.event = reader;
  c.total = 1;
  if (c.kind == choice::second_sources) {
    c.high[1] = static_cast<std::int32_t>(graph_.history(r.loc[1]).mo.size()) - 1;
    c.low[1] = static_cast<std::int32_t>(consistency_.lowest(reader, 1));
    c.next_high = c.high[1];
    c.total = c.number(1);
  }
  choices_.push_back(c);
}

exploration::step exploration::advance_revisiting_positions(choice& c) {
  graph_.unlink_write(c.reader);
  graph_.set_torn(c.reader, false);
  do {
    graph_.unlink_write(c.event);
    if (!next_position(c)) return step::exhausted;
  } while (symmetry_.out_of_order(c.event));
  choose_sources_of_revisited(c.reader, c.field);
  return step::again;
}

void exploration::undo_revisit() { graph_.restore(frames_[--frames_used_]->deleted); }

}  // namespace fencepost::verify
