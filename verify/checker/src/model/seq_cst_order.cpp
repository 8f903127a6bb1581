#include "model/seq_cst_order.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace fencepost::verify {

namespace {

// True if the event is one of those that are ordered. An access whose second field is missing may
// still succeed.
bool is_ordered(const event& e) noexcept {
  return e.effective() == order::seq_cst && (!e.torn || e.success == order::seq_cst);
}

// False if the second field of a word is still to come.
bool has_read(const event& e, unsigned field) noexcept { return !(e.torn && field == 1); }

unsigned take_lowest(std::uint64_t& set) noexcept {
  const auto lowest = static_cast<unsigned>(std::countr_zero(set));
  set &= set - 1;
  return lowest;
}

}  // namespace

// A cycle through `changed` leaves it through eco, and begins at `changed` itself or at a fence
// before it. In psc, reads-from relates only fences, so `changed` itself has fewer successors than
// the fences before it.
bool seq_cst_order::exists(event_id changed) {
  if (graph_.seq_cst_events() < 2) return true;
  const bool is_access = is_ordered(graph_.at(changed)) && graph_.at(changed).fields() != 0;
  const bool behind_fence = is_behind_fence(changed);
  if (!is_access && !behind_fence) return true;
  begin(changed);
  itself_ = is_access;
  leave(changed, reads_from_orders_accesses());
  if (leads_to_goal()) return false;
  if (reads_from_orders_accesses() || !behind_fence) return true;
  itself_ = false;
  leave(changed, true);
  return !leads_to_goal();
}

bool seq_cst_order::is_behind_fence(event_id id) const {
  const clock& hb = graph_.view(id).hb;
  for (std::uint64_t left = graph_.fencing(); left != 0;) {
    const unsigned t = take_lowest(left);
    if (graph_.thread(t).fences.front() <= hb[t]) return true;
  }
  return false;
}

void seq_cst_order::begin(event_id goal) {
  goal_ = goal;
  found_ = false;
  fences_to_do_ = accesses_to_do_ = 0;
  ++search_;
  if (above_.size() < graph_.locations()) above_.resize(graph_.locations());
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    const graph::log& l = graph_.thread(t);
    suffix& s = reached_[t];
    s.left = s.access = s.accesses_done = l.length() + 1;
    s.fence = s.fences_done = static_cast<unsigned>(l.fences.size());
  }
}

bool seq_cst_order::leads_to_goal() {
  while (!found_ && (fences_to_do_ | accesses_to_do_) != 0) {
    if (accesses_to_do_ != 0)
      go_on_from_accesses(take_lowest(accesses_to_do_));
    else
      go_on_from_fence(take_lowest(fences_to_do_));
  }
  return found_;
}

// Reaches what comes after the event in eco.
void seq_cst_order::leave(event_id id, bool to_readers) {
  const event& e = graph_.at(id);
  for (unsigned k = 0; k < e.fields(); ++k) {
    const location_history& h = graph_.history(e.loc[k]);
    if (h.mo.size() < 2 || h.hidden) continue;
    if (e.write_linked) {
      reach_above(e.loc[k], e.mo[k] + 1u, to_readers ? e.mo[k] : h.mo.size());
    } else if (e.read_linked[k] && has_read(e, k)) {
      const std::size_t next = graph_.mo_position(e.rf[k], e.loc[k]) + 1u;
      reach_above(e.loc[k], next, to_readers ? next : h.mo.size());
    }
  }
}

void seq_cst_order::reach_above(location l, std::size_t writes, std::size_t readers) {
  const location_history& h = graph_.history(l);
  above& a = above_[l];
  if (a.search != search_) a = {search_, h.mo.size(), h.mo.size()};
  if (writes < a.writes) {
    const std::size_t end = std::exchange(a.writes, writes);
    for (std::size_t i = writes; i < end; ++i) reach(h.mo[i], false);
  }
  if (readers < a.readers) {
    const std::size_t end = std::exchange(a.readers, readers);
    for (const event_id r : h.readers) {
      const event& e = graph_.at(r);
      const unsigned k = e.field_at(l);
      if (!has_read(e, k)) continue;
      const std::size_t position = graph_.mo_position(e.rf[k], l);
      if (readers <= position && position < end) reach(r, true);
    }
  }
}

// Reaches the event through eco. `by_reading`: the pair is in eco but not in mo ∪ fr; psc then
// relates only fences.
void seq_cst_order::reach(event_id id, bool by_reading) {
  if ((reads_from_orders_accesses() || !by_reading) && is_ordered(graph_.at(id))) reach_access(id);
  const clock& goal = graph_.view(goal_).hb;
  for (std::uint64_t left = graph_.fencing(); left != 0;) {
    const unsigned t = take_lowest(left);
    const graph::log& l = graph_.thread(t);
    unsigned& first = reached_[t].fence;
    while (first > 0 && l.view[l.fences[first - 1]].hb.covers(id)) --first;
    if (first == reached_[t].fences_done) continue;
    fences_to_do_ |= std::uint64_t{1} << t;
    found_ = found_ || l.fences[first] <= goal[t];
  }
}

void seq_cst_order::reach_access(event_id id) {
  const unsigned t = thread_of(id);
  if (index_of(id) >= reached_[t].access) return;
  reached_[t].access = index_of(id);
  accesses_to_do_ |= std::uint64_t{1} << t;
  found_ = found_ || (itself_ && t == thread_of(goal_) && id <= goal_);
}

// Continues through eco from all events that the first fence reached happens before.
void seq_cst_order::go_on_from_fence(unsigned thread) {
  suffix& s = reached_[thread];
  s.fences_done = s.fence;
  const event_id fence = make_id(thread, graph_.thread(thread).fences[s.fence]);
  for (unsigned t = 0; t < graph_.threads() && !found_; ++t) {
    const graph::log& l = graph_.thread(t);
    const unsigned end = reached_[t].left;
    unsigned& left = reached_[t].left;
    while (left > 1 && l.view[left - 1].hb.covers(fence)) --left;
    for (unsigned i = left; i < end; ++i) leave(make_id(t, i), true);
  }
}

// Continues from the accesses reached since the last call, through eco and by happens-before.
void seq_cst_order::go_on_from_accesses(unsigned thread) {
  const graph::log& l = graph_.thread(thread);
  const unsigned end = std::exchange(reached_[thread].accesses_done, reached_[thread].access);
  auto next = std::lower_bound(l.accesses.begin(), l.accesses.end(), reached_[thread].access);
  const event* before = nullptr;
  for (; next != l.accesses.end() && *next < end && !found_; ++next) {
    const event& e = l.events[*next];
    if (!is_ordered(e)) continue;
    leave(make_id(thread, *next), reads_from_orders_accesses());
    // If the access before this one has the same locations, all that comes after this one is
    // reached already.
    if (before == nullptr || before->loc[0] != e.loc[0] || before->loc[1] != e.loc[1])
      go_on_by_hb(make_id(thread, *next));
    before = &e;
  }
}

void seq_cst_order::go_on_by_hb(event_id x) {
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    const graph::log& l = graph_.thread(t);
    if (t == thread_of(x) || l.accesses.empty()) continue;
    auto next = std::lower_bound(l.accesses.begin(), l.accesses.end(), reached_[t].access);
    const auto end = next;
    while (next != l.accesses.begin() && l.view[*std::prev(next)].hb.covers(x)) --next;
    for (; next != end; ++next) {
      const event_id y = make_id(t, *next);
      if (!is_ordered(graph_.at(y)) || !happens_before(x, y)) continue;
      reach_access(y);
      break;
    }
  }
}

// Happens-before as the order has it, between accesses of two threads; x happens before y.
bool seq_cst_order::happens_before(event_id x, event_id y) const {
  // Strongly happens before: po;hb;po.
  if (standard_) return graph_.before(y).hb.covers(x + 1);
  return share_location(graph_.at(x), graph_.at(y)) || through_other_locations(x, y);
}

// Program order to another location, happens-before, program order from another location. The end
// of a thread, which is one beyond its last event, and its beginning access no location either.
bool seq_cst_order::through_other_locations(event_id x, event_id y) const {
  const event& ex = graph_.at(x);
  const event& ey = graph_.at(y);
  const graph::log& lx = graph_.thread(thread_of(x));
  const auto hidden = [this](const event& e) {
    return e.fields() != 0 && graph_.history(e.loc[0]).hidden;
  };
  unsigned after = index_of(x) + 1;
  while (after <= lx.length() && (share_location(lx.events[after], ex) || hidden(lx.events[after])))
    ++after;
  const graph::log& ly = graph_.thread(thread_of(y));
  unsigned ahead = index_of(y) - 1;
  while (ahead > 0 && (share_location(ly.events[ahead], ey) || hidden(ly.events[ahead]))) --ahead;
  return ly.view[ahead].hb.covers(make_id(thread_of(x), after));
}

}  // namespace fencepost::verify
