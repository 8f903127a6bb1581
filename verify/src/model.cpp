#include "model.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

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
  const event& previous = log.events[index - 1];
  e.release_fence = previous.release_fence;
  e.release_write = previous.writes() && releases(previous.effective())
                        ? static_cast<std::uint16_t>(index - 1)
                        : previous.release_write;

  switch (e.kind) {
    case event_kind::load:
    case event_kind::rmw: {
      e.read = graph_.written(e.rf[0], e.loc[0]);
      if (e.fields() == 2) {
        e.read |= graph_.written(e.rf[1], e.loc[1]) << 32;
        words_ = true;
      }
      const order o = e.effective();
      const bool synchronizes =
          o != order::plain && e.looks == look_for::nothing && !graph_.places[e.loc[0]].hidden;
      for (unsigned k = 0; k < e.fields(); ++k) {
        if (e.rf[k] == initial_write) continue;
        const views& source = graph_.view(e.rf[k]);
        v.porf.join(source.porf);
        if (!synchronizes) continue;
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
      for (unsigned t = 0; t < graph_.threads; ++t) {
        if (!e.concerns(t)) continue;
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
  else if (e.release_fence != 0 && !graph_.places[e.loc[0]].hidden)
    v.release = log.view[e.release_fence].hb;
  if (e.kind == event_kind::rmw) {
    for (unsigned k = 0; k < e.fields(); ++k)
      if (e.rf[k] != initial_write) v.release.join(graph_.view(e.rf[k]).release);
  }
  if (model_ == memory_model::rc11) {
    // C++11: a release sequence goes on through later stores of its own thread. The last release
    // knows what those before it know.
    unsigned i = e.release_write;
    while (i != 0 && !share_place(log.events[i], e)) i = log.events[i].release_write;
    if (i != 0) v.release.join(log.view[i].hb);
  }
}

unsigned consistency::last_write(location l, const clock& hb) const {
  const auto& mo = graph_.places[l].mo;
  for (std::size_t i = mo.size(); i-- > 1;)
    if (hb.covers(mo[i])) return static_cast<unsigned>(i);
  return 0;
}

// The lock that was taken right before the look hands on what each wake knew that has had it.
unsigned consistency::lowest_look(event_id id) const {
  const event& e = graph_.at(id);
  const clock& wakes = graph_.before(id).release;
  return e.looks == look_for::notify ? last_write(e.loc[0], wakes) : lowest(e.loc[0], wakes);
}

unsigned consistency::lowest(location l, const clock& hb) const {
  const place& p = graph_.places[l];
  unsigned low = 0;
  if (graph_.has_many(l)) [[unlikely]] {
    for (unsigned t = 0; t < p.accesses.size(); ++t) {
      const event_id last = graph_.last_access(l, t, hb[t]);
      if (last != 0) low = std::max(low, graph_.seen_by(last, l));
    }
    return low;
  }
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

// A read of one field may acquire what a read-modify-write of the whole word has read of the other.
bool consistency::outdated(event_id id) const {
  const event& e = graph_.at(id);
  if (!words_ || e.torn || !acquires(e.effective())) return false;
  if (e.looks != look_for::nothing || graph_.places[e.loc[0]].hidden) return false;
  clock hb = graph_.before(id).hb;
  for (unsigned k = 0; k < e.fields(); ++k)
    if (e.rf[k] != initial_write) hb.join(graph_.view(e.rf[k]).release);
  for (unsigned k = 0; k < e.fields(); ++k)
    if (graph_.mo_position(e.rf[k], e.loc[k]) < lowest(e.loc[k], hb)) return true;
  return false;
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

bool consistency::share_place(const event& a, const event& b) {
  for (unsigned k = 0; k < a.fields(); ++k)
    if (b.touches(a.loc[k])) return true;
  return false;
}

// Program order to another location, happens-before, program order from another location. The end
// of a thread, which is one further than its last event, and its beginning access no location
// either.
bool consistency::through_other_places(event_id x, event_id y) const {
  const event& ex = graph_.at(x);
  const event& ey = graph_.at(y);
  const graph::log& lx = graph_.logs[thread_of(x)];
  const auto hidden = [this](const event& e) {
    return e.fields() != 0 && graph_.places[e.loc[0]].hidden;
  };
  unsigned after = index_of(x) + 1;
  while (after <= lx.length() && (share_place(lx.events[after], ex) || hidden(lx.events[after])))
    ++after;
  const graph::log& ly = graph_.logs[thread_of(y)];
  unsigned ahead = index_of(y) - 1;
  while (ahead > 0 && (share_place(ly.events[ahead], ey) || hidden(ly.events[ahead]))) --ahead;
  return ly.view[ahead].hb.covers(make_id(thread_of(x), after));
}

// The sequentially consistent events, by thread and index; each is told its number.
void consistency::collect_sc() const {
  nodes_.clear();
  for (unsigned t = 0; t < graph_.threads; ++t) {
    graph::log& l = graph_.logs[t];
    for (unsigned i = 1; i <= l.length(); ++i) {
      event& e = l.events[i];
      e.node = ~0U;
      if (!e.may_be_sc()) continue;
      if (e.fields() == 0 ? e.kind != event_kind::fence : e.effective() != order::seq_cst) continue;
      if (e.torn && e.success != order::seq_cst) continue;  // it may still succeed
      e.node = static_cast<unsigned>(nodes_.size());
      nodes_.push_back(make_id(t, i));
    }
  }
}

bool consistency::acyclic(event_id changed) const {
  if (graph_.sc < 2) return true;
  // Whatever leaves `changed` in the order starts at it, or at a fence before it.
  collect_sc();
  if (nodes_.size() < 2) return true;
  const clock& hb = graph_.view(changed).hb;
  const bool source = std::any_of(nodes_.begin(), nodes_.end(), [&](event_id n) {
    return n == changed || (graph_.at(n).kind == event_kind::fence && hb.covers(n));
  });
  return !source || acyclic();
}

bool consistency::acyclic() const {
  if (graph_.sc < 2) return true;
  collect_sc();
  if (nodes_.size() < 2) return true;
  if (nodes_.size() <= 64) return acyclic<1>(nodes_);
  if (nodes_.size() <= 256) return acyclic<4>(nodes_);
  return sparsely_acyclic(nodes_);
}

// Computes for every sequentially consistent event the set of those that must come before it, and
// takes away minimal ones until none is left or a cycle is.
//
// Every cycle goes through eco somewhere, and an edge through eco begins at all fences that happen
// before its first access and ends at all fences that its last access happens before. So edges of
// happens-before alone matter between accesses only; and of the fences of one thread, which come
// one after the other, it is enough to take the last one before an access and the first one after.
template <unsigned Words>
bool consistency::acyclic(const std::vector<event_id>& nodes) const {
  using set = std::bitset<std::size_t{64} * Words>;
  constexpr unsigned none = ~0U;
  const std::size_t n = nodes.size();
  const bool letter = model_ == memory_model::cpp20;
  static thread_local std::vector<set> before;  // edges into each node
  before.assign(n, set{});

  // Nodes are in order of thread and index: the fences of each thread, and its first node.
  struct fenced {
    unsigned thread = 0;
    std::vector<unsigned> nodes, indices;
    std::vector<const clock*> hb;
  };
  static thread_local std::array<fenced, max_threads> fences;  // the first `fencing` of them
  unsigned fencing = 0;
  set fence_nodes;
  for (unsigned i = 0; i < n; ++i) {
    if (graph_.at(nodes[i]).kind != event_kind::fence) continue;
    if (fencing == 0 || thread_of(nodes[i]) != fences[fencing - 1].thread) {
      fenced& next = fences[fencing++];
      next.thread = thread_of(nodes[i]);
      next.nodes.clear();
      next.indices.clear();
      next.hb.clear();
    }
    fenced& mine = fences[fencing - 1];
    if (!mine.nodes.empty()) before[i].set(mine.nodes.back());
    mine.nodes.push_back(i);
    mine.indices.push_back(index_of(nodes[i]));
    mine.hb.push_back(&graph_.view(nodes[i]).hb);
    fence_nodes.set(i);
  }

  // What happens-before alone says.
  for (unsigned j = 0; j < n; ++j) {
    if (fence_nodes[j]) continue;
    const event_id y = nodes[j];
    for (unsigned i = 0; i < n; ++i) {
      const event_id x = nodes[i];
      if (i == j || fence_nodes[i]) continue;
      bool edge = false;
      if (thread_of(x) == thread_of(y))
        edge = index_of(x) < index_of(y);
      else if (letter)  // strongly happens before: po;hb;po
        edge = graph_.before(y).hb.covers(x + 1);
      else if (graph_.view(y).hb.covers(x))
        edge = share_place(graph_.at(x), graph_.at(y)) || through_other_places(x, y);
      if (edge) before[j].set(i);
    }
  }

  // What the order of each location says, going up in modification order.
  const auto source = [&](event_id e) {
    set s;
    if (e == initial_write) return s;
    const unsigned self = graph_.at(e).node;
    if (self != none) s.set(self);
    const clock& hb = graph_.view(e).hb;
    for (unsigned t = 0; t < fencing; ++t) {
      const unsigned lane = hb[fences[t].thread];
      for (std::size_t k = fences[t].nodes.size(); k-- > 0;) {
        if (fences[t].indices[k] > lane) continue;
        s.set(fences[t].nodes[k]);
        break;
      }
    }
    return s;
  };
  // by_reading: the pair is in eco but not in mo ∪ fr; psc then relates fences alone.
  const auto add = [&](event_id target, const set& all, bool by_reading) {
    if (target == initial_write) return;
    const bool fences_only = by_reading && !letter;
    const set from = fences_only ? all & fence_nodes : all;
    if (from.none()) return;
    const unsigned self = graph_.at(target).node;
    if (self != none && !fences_only) before[self] |= from;
    const unsigned thread = thread_of(target), index = index_of(target);
    for (unsigned t = 0; t < fencing; ++t) {
      for (std::size_t k = 0; k < fences[t].nodes.size(); ++k) {
        if ((*fences[t].hb[k])[thread] < index) continue;
        before[fences[t].nodes[k]] |= from;
        break;
      }
    }
  };
  for (location l = 0; l < graph_.places.size(); ++l) {
    const place& p = graph_.places[l];
    if (p.mo.size() < 2 || p.hidden) continue;
    static thread_local std::vector<std::pair<unsigned, event_id>> readers;  // by what they read
    readers.clear();
    for (const event_id r : p.readers) {
      const event& e = graph_.at(r);
      if (e.torn && e.field_at(l) == 1) continue;  // it has not read this one yet
      readers.emplace_back(graph_.mo_position(e.rf[e.field_at(l)], l), r);
    }
    const auto each_reader = [&](std::size_t position, auto&& f) {
      for (const auto& [at, r] : readers)
        if (at == position) f(r);
    };
    set below;  // writes below, and their readers, which precede the next write (mo, fr)
    for (std::size_t i = 0; i < p.mo.size(); ++i) {
      const event_id w = p.mo[i];
      set as_reader;  // w, if it is a read-modify-write, does not precede itself
      if (i > 0) each_reader(i - 1, [&](event_id r) { (r == w ? as_reader : below) |= source(r); });
      add(w, below, false);
      below |= as_reader | source(w);
      each_reader(i, [&](event_id r) { add(r, below, true); });
    }
  }

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
