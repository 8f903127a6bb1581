#include "model.hpp"

#include <algorithm>
#include <bitset>

namespace fencepost::verify {

namespace {

value truncate(value v, unsigned size) noexcept {
  return size >= 8 ? v : v & ((value{1} << (8 * size)) - 1);
}

value apply(const event& e) noexcept {
  if (e.compares) return e.operand;
  switch (e.op) {
    case operation::exchange: return e.operand;
    case operation::add: return truncate(e.read + e.operand, e.size);
    case operation::subtract: return truncate(e.read - e.operand, e.size);
    case operation::bit_and: return e.read & e.operand;
    case operation::bit_or: return e.read | e.operand;
    case operation::bit_xor: return e.read ^ e.operand;
    case operation::custom: return truncate(e.custom(e.read, e.operand), e.size);
  }
  return 0;
}

}  // namespace

void consistency::settle(event_id id) {
  const unsigned thread = thread_of(id);
  const unsigned index = index_of(id);
  graph::log& log = graph_.logs[thread];
  event& e = log.events[index];
  views& v = log.view[index];
  const views& before = log.view[index - 1];
  v.hb = before.hb;
  v.porf = before.porf;
  v.pending = before.pending;
  v.hb.set(thread, index);
  v.porf.set(thread, index);
  e.release_fence = log.events[index - 1].release_fence;

  switch (e.kind) {
    case event_kind::load:
    case event_kind::rmw: {
      e.read = graph_.written(e.rf[0], e.loc[0]);
      if (e.fields() == 2) e.read |= graph_.written(e.rf[1], e.loc[1]) << 32;
      const order o = e.effective();
      for (unsigned k = 0; k < e.fields(); ++k) {
        if (e.rf[k] == initial_write) continue;
        const views& source = graph_.view(e.rf[k]);
        v.porf.join(source.porf);
        if (o == order::plain) continue;
        v.pending.join(source.release);
        if (acquires(o)) v.hb.join(source.release);
      }
      if (!e.succeeds()) break;
      e.written = apply(e);
      break;
    }
    case event_kind::store: e.written = e.operand; break;
    case event_kind::fence:
      if (acquires(e.success)) v.hb.join(v.pending);
      if (releases(e.success)) e.release_fence = static_cast<std::uint16_t>(index);
      break;
    case event_kind::join:
      for (unsigned t = 0; t < max_threads; ++t) {
        if ((e.partners >> t & 1U) == 0) continue;
        const graph::log& child = graph_.logs[t];
        v.hb.join(child.view.back().hb);
        v.porf.join(child.view.back().porf);
        // One further: what the child did after its last event.
        v.hb.set(t, child.length() + 1);
        v.porf.set(t, child.length());
      }
      break;
    case event_kind::create:
    case event_kind::choose:
    case event_kind::none: break;
  }

  if (!e.writes()) return;
  const order o = e.effective();
  v.release = {};
  if (o == order::plain) return;
  if (releases(o))
    v.release = v.hb;
  else if (e.release_fence != 0)
    v.release = log.view[e.release_fence].hb;
  if (e.kind == event_kind::rmw) {
    for (unsigned k = 0; k < e.fields(); ++k)
      if (e.rf[k] != initial_write) v.release.join(graph_.view(e.rf[k]).release);
  }
  if (model_ == memory_model::rc11) {
    // C++11: a release sequence goes on through later stores of its own thread.
    for (unsigned i = 1; i < index; ++i) {
      const event& earlier = log.events[i];
      if (!earlier.writes() || !releases(earlier.effective())) continue;
      if (e.touches(earlier.loc[0]) || (earlier.fields() == 2 && e.touches(earlier.loc[1])))
        v.release.join(log.view[i].hb);
    }
  }
}

unsigned consistency::lowest(location l, const clock& hb) const {
  const place& p = graph_.places[l];
  unsigned low = 0;
  for (std::size_t i = p.mo.size(); i-- > 1;) {
    if (hb.covers(p.mo[i])) {
      low = static_cast<unsigned>(i);
      break;
    }
  }
  if (low + 1 == p.mo.size()) return low;
  for (const event_id r : p.readers) {
    if (!hb.covers(r)) continue;
    const event& reader = graph_.at(r);
    low = std::max(low, graph_.mo_position(reader.rf[reader.field_at(l)], l));
  }
  return low;
}

namespace {

// The last whole-word write at or before `position`.
event_id whole_before(const graph& g, location l, unsigned position) {
  const auto& mo = g.places[l].mo;
  for (unsigned i = position; i > 0; --i)
    if (g.at(mo[i]).fields() == 2) return mo[i];
  return initial_write;
}

}  // namespace

bool consistency::torn_read(event_id id) const {
  const event& e = graph_.at(id);
  const unsigned low = graph_.mo_position(e.rf[0], e.loc[0]);
  const unsigned high = graph_.mo_position(e.rf[1], e.loc[1]);
  if (whole_before(graph_, e.loc[0], low) != whole_before(graph_, e.loc[1], high)) return true;
  for (const event_id r : graph_.places[e.loc[0]].readers) {
    if (r == id) continue;
    const event& other = graph_.at(r);
    if (other.fields() != 2 || !other.read_linked[1] || other.torn) continue;
    const unsigned other_low = graph_.mo_position(other.rf[0], e.loc[0]);
    const unsigned other_high = graph_.mo_position(other.rf[1], e.loc[1]);
    if ((low < other_low && high > other_high) || (low > other_low && high < other_high))
      return true;
  }
  return false;
}

bool consistency::outdated(event_id id, event_id low, event_id high) const {
  const event& e = graph_.at(id);
  const value seen = graph_.written(low, e.loc[0]) | graph_.written(high, e.loc[1]) << 32;
  const bool fails = e.compares && (e.spurious || seen != e.expected);
  if (!acquires(fails ? e.failure : e.success)) return false;
  clock hb = graph_.before(id).hb;
  if (low != initial_write) hb.join(graph_.view(low).release);
  if (high != initial_write) hb.join(graph_.view(high).release);
  return graph_.mo_position(low, e.loc[0]) < lowest(e.loc[0], hb) ||
         graph_.mo_position(high, e.loc[1]) < lowest(e.loc[1], hb);
}

bool consistency::torn_write(event_id id) const {
  const event& e = graph_.at(id);
  for (const event_id w : graph_.places[e.loc[0]].mo) {
    if (w == initial_write || w == id) continue;
    const event& other = graph_.at(w);
    if (other.fields() == 2 && (other.mo[0] < e.mo[0]) != (other.mo[1] < e.mo[1])) return true;
  }
  for (const event_id r : graph_.places[e.loc[0]].readers) {
    if (r == id) continue;
    const event& other = graph_.at(r);
    if (other.fields() != 2 || !other.read_linked[1] || other.torn) continue;
    if ((graph_.mo_position(other.rf[0], e.loc[0]) < e.mo[0]) !=
        (graph_.mo_position(other.rf[1], e.loc[1]) < e.mo[1]))
      return true;
  }
  return false;
}

bool consistency::races(event_id id, event_id& other) const {
  const event& e = graph_.at(id);
  const clock& hb = graph_.view(id).hb;
  const bool plain = e.effective() == order::plain;
  const auto ordered = [&](event_id x) { return hb.covers(x) || graph_.view(x).hb.covers(id); };
  for (unsigned k = 0; k < e.fields(); ++k) {
    const place& p = graph_.places[e.loc[k]];
    if (!p.plain_access) continue;
    for (const event_id w : p.mo) {
      if (w == initial_write || w == id || ordered(w)) continue;
      if (plain || graph_.at(w).effective() == order::plain) return other = w, true;
    }
    if (!e.writes()) continue;
    for (const event_id r : p.readers) {
      if (r == id || ordered(r)) continue;
      if (plain || graph_.at(r).effective() == order::plain) return other = r, true;
    }
  }
  return false;
}

void consistency::collect_sc(std::vector<event_id>& nodes) const {
  nodes.clear();
  for (const entry& t : graph_.trail) {
    if (t.part != 0) continue;
    const event& e = graph_.at(t.id);
    if (e.fields() == 0 ? e.kind == event_kind::fence && e.success == order::seq_cst
                        : e.effective() == order::seq_cst)
      nodes.push_back(t.id);
  }
}

bool consistency::acyclic(event_id changed) const {
  if (graph_.sc < 2) return true;
  // Whatever leaves `changed` in the order starts at it, or at a fence before it.
  collect_sc(nodes_);
  if (nodes_.size() < 2) return true;
  const clock& hb = graph_.view(changed).hb;
  const bool source = std::any_of(nodes_.begin(), nodes_.end(), [&](event_id n) {
    return n == changed || (graph_.at(n).kind == event_kind::fence && hb.covers(n));
  });
  return !source || acyclic();
}

bool consistency::acyclic() const {
  if (graph_.sc < 2) return true;
  collect_sc(nodes_);
  if (nodes_.size() < 2) return true;
  if (nodes_.size() <= 64) return acyclic<1>(nodes_);
  if (nodes_.size() <= 256) return acyclic<4>(nodes_);
  return acyclic<64>(nodes_);
}

// Computes for every sequentially consistent event the set of those that must come before it, and
// takes away minimal ones until none is left or a cycle is.
template <unsigned Words>
bool consistency::acyclic(const std::vector<event_id>& nodes) const {
  using set = std::bitset<64 * Words>;
  const std::size_t n = nodes.size();
  const bool letter = model_ == memory_model::cpp20;
  static thread_local std::vector<set> before;  // edges into each node
  before.assign(n, set{});

  const auto is_fence = [&](std::size_t i) {
    return graph_.at(nodes[i]).kind == event_kind::fence;
  };
  set fences;
  for (std::size_t i = 0; i < n; ++i)
    if (is_fence(i)) fences.set(i);

  const auto same_place = [&](const event& a, const event& b) {
    for (unsigned i = 0; i < a.fields(); ++i)
      if (b.touches(a.loc[i])) return true;
    return false;
  };
  // Program order to another location on both sides of hb: a of one, b of the other event.
  const auto through_other_places = [&](event_id x, event_id y) {
    const event& ex = graph_.at(x);
    const event& ey = graph_.at(y);
    event_id after = 0, ahead = 0;
    const graph::log& lx = graph_.logs[thread_of(x)];
    for (unsigned i = index_of(x) + 1; i <= lx.length() && after == 0; ++i)
      if (!same_place(lx.events[i], ex)) after = make_id(thread_of(x), i);
    const graph::log& ly = graph_.logs[thread_of(y)];
    for (unsigned i = index_of(y) - 1; i >= 1 && ahead == 0; --i)
      if (!same_place(ly.events[i], ey)) ahead = make_id(thread_of(y), i);
    return after != 0 && ahead != 0 && graph_.view(ahead).hb.covers(after);
  };
  // Some z at one of e's locations, hb-after x (from_e: e hb z) and hb-before `end`.
  const auto hb_same_place_then = [&](event_id x, const clock& end) {
    const event& ex = graph_.at(x);
    for (unsigned k = 0; k < ex.fields(); ++k) {
      const place& p = graph_.places[ex.loc[k]];
      const auto between = [&](event_id z) {
        return z != initial_write && z != x && end.covers(z) && graph_.view(z).hb.covers(x);
      };
      if (std::any_of(p.mo.begin(), p.mo.end(), between)) return true;
      if (std::any_of(p.readers.begin(), p.readers.end(), between)) return true;
    }
    return false;
  };
  const auto fence_then_same_place = [&](event_id fence, event_id y) {
    const event& ey = graph_.at(y);
    const clock& end = graph_.view(y).hb;
    for (unsigned k = 0; k < ey.fields(); ++k) {
      const place& p = graph_.places[ey.loc[k]];
      const auto between = [&](event_id z) {
        return z != initial_write && z != y && end.covers(z) && graph_.view(z).hb.covers(fence);
      };
      if (std::any_of(p.mo.begin(), p.mo.end(), between)) return true;
      if (std::any_of(p.readers.begin(), p.readers.end(), between)) return true;
    }
    return false;
  };

  // What happens-before alone says.
  for (std::size_t j = 0; j < n; ++j) {
    const event_id y = nodes[j];
    const clock& full = graph_.view(y).hb;
    const clock& prior = graph_.before(y).hb;
    for (std::size_t i = 0; i < n; ++i) {
      const event_id x = nodes[i];
      if (i == j) continue;
      if (thread_of(x) == thread_of(y)) {
        if (index_of(x) < index_of(y)) before[j].set(i);
        continue;
      }
      const event_id next = x + 1;  // its successor in program order, if there is one
      bool edge = false;
      if (letter) {
        edge = prior.covers(next);  // strongly happens before: po;hb;po
      } else if (!full.covers(x)) {
        edge = false;
      } else if (is_fence(i)) {
        edge = is_fence(j) || prior.covers(x) || fence_then_same_place(x, y);
      } else if (is_fence(j)) {
        edge = full.covers(next) || hb_same_place_then(x, full);
      } else {
        edge = same_place(graph_.at(x), graph_.at(y)) || through_other_places(x, y);
      }
      if (edge) before[j].set(i);
    }
  }

  // What the order of each location says. Going up in modification order, `all` and `from_fences`
  // hold what comes before through an access so far.
  static thread_local std::vector<std::pair<event_id, std::size_t>> position;
  const auto node_of = [&](event_id e) {
    return static_cast<std::size_t>(std::find(nodes.begin(), nodes.end(), e) - nodes.begin());
  };
  const auto source = [&](event_id e) {
    set s;
    if (e == initial_write) return s;
    const std::size_t self = node_of(e);
    if (self < n) s.set(self);
    const clock& hb = graph_.view(e).hb;
    for (std::size_t i = 0; i < n; ++i)
      if (fences[i] && hb.covers(nodes[i])) s.set(i);
    return s;
  };
  const auto add = [&](event_id target, const set& all, const set& fences_only, bool eco_only) {
    if (target == initial_write) return;
    // eco_only: the pair is in eco but not in mo ∪ fr, so psc relates fences alone.
    const std::size_t self = node_of(target);
    if (self < n && !(eco_only && !letter)) before[self] |= all;
    for (std::size_t b = 0; b < n; ++b) {
      if (!fences[b] || !graph_.view(nodes[b]).hb.covers(target)) continue;
      before[b] |= eco_only && !letter ? fences_only : all;
    }
  };
  for (const place& p : graph_.places) {
    if (p.mo.size() < 2) continue;
    set all;  // through writes strictly below, and their readers
    for (std::size_t i = 0; i < p.mo.size(); ++i) {
      const event_id w = p.mo[i];
      set into_write = all;
      // Readers of the write below precede w (fr), but w itself as a reader does not.
      set readers_below;
      set self_reader;
      if (i > 0) {
        const location l = static_cast<location>(&p - graph_.places.data());
        for (const event_id r : p.readers) {
          const event& er = graph_.at(r);
          if (graph_.mo_position(er.rf[er.field_at(l)], l) != i - 1) continue;
          if (r == w)
            self_reader |= source(r);
          else
            readers_below |= source(r);
        }
      }
      into_write |= readers_below;
      add(w, into_write, into_write & fences, false);
      // Writes below and their readers precede the readers of w (…;rf).
      const set from_w = source(w);
      const set into_reader = into_write | self_reader | from_w;
      const location l = static_cast<location>(&p - graph_.places.data());
      for (const event_id r : p.readers) {
        const event& er = graph_.at(r);
        if (graph_.mo_position(er.rf[er.field_at(l)], l) == i)
          add(r, into_reader, into_reader & fences, true);
      }
      all = into_reader;
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    if (before[i][i]) return false;

  set left;
  for (std::size_t i = 0; i < n; ++i) left.set(i);
  for (bool progress = true; progress && left.any();) {
    progress = false;
    for (std::size_t i = 0; i < n; ++i) {
      if (left[i] && (before[i] & left).none()) {
        left.reset(i);
        progress = true;
      }
    }
  }
  return left.none();
}

}  // namespace fencepost::verify
