// The choice among the sources of a read.

#include <utility>

#include "explore/budgets.hpp"
#include "explore/exploration.hpp"

namespace fencepost::verify {

// Takes the next combination of sources, from the latest down. The fields of a whole-word read must
// belong together. After the second fields that go with the first one comes none: the thread is
// blocked, and each write that is added then may become the second field by a revisit. A second
// field that has a source is never revisited: which source that is, as seen from a later write, is
// more than a rule for maximality can say (the first field may be old, and rule it out).
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

// Restores what cutting the graph removed of a revisited read.
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
  // The memory order of a failure may be the stronger one.
  return !symmetry_.out_of_order(id) && !consistency_.outdated(id) && acyclic(c);
}

// True if the sequentially consistent events can be ordered. The source of a revisited read is a
// new write, and is checked as well.
bool exploration::acyclic(const choice& c) {
  const event& e = graph_.at(c.event);
  bool ordered = consistency_.acyclic(c.event);
  for (unsigned k = 0; c.revisited() && k < e.fields(); ++k)
    ordered = ordered && (e.rf[k] == initial_write || consistency_.acyclic(e.rf[k]));
  return ordered;
}

// True if the graph is consistent with the event's current source, as far as its read is concerned.
bool exploration::is_consistent(const choice& c) {
  const event& e = graph_.at(c.event);
  // A read of a write that is last wherever it writes has no successors in the order.
  bool youngest = true;
  for (unsigned k = 0; k < e.fields(); ++k) youngest = youngest && graph_.reads_latest(c.event, k);
  return youngest || (!consistency_.outdated(c.event) && acyclic(c));
}

// True if the graph is consistent with the event's current source. Sets the stage that comes next:
// revisits may still resolve a conflict.
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
  // Two read-modify-writes that read from one write are inconsistent; revisits may resolve that,
  // unless this one depends on the other.
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
  // The write of one field may come after what the read of the other field comes before.
  if (e.fields() == 2 && (consistency_.torn_write(id) || !acyclic(c))) {
    graph_.unlink_write(id);
    return false;
  }
  if (c.revisited()) graph_.push_entry(id, 2);
  return true;
}

}  // namespace fencepost::verify
