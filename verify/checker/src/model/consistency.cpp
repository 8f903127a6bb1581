#include "model/consistency.hpp"

#include <algorithm>

namespace fencepost::verify {

namespace {

value truncate(value v, unsigned size) noexcept {
  return size >= 8 ? v : v & ((value{1} << (8 * size)) - 1);
}

}  // namespace

value modified(operation op, unsigned size, value old, value operand,
               value (*custom)(value, value)) noexcept {
  switch (op) {
    case operation::exchange: return operand;
    case operation::add: return truncate(old + operand, size);
    case operation::subtract: return truncate(old - operand, size);
    case operation::bit_and: return old & operand;
    case operation::bit_or: return old | operand;
    case operation::bit_xor: return old ^ operand;
    case operation::custom: return truncate(custom(old, operand), size);
  }
  return 0;
}

// True if reads of this kind synchronize with the releases that they read from.
bool consistency::may_synchronize(const event& e) const {
  return e.looks == look_for::nothing && !graph_.history(e.loc[0]).hidden;
}

void consistency::update_views(event_id id) {
  const unsigned thread = thread_of(id);
  const unsigned index = index_of(id);
  const graph::log& log = graph_.thread(thread);
  const auto [e, v] = graph_.derive(id);
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
      const bool synchronizes = o != order::plain && may_synchronize(e);
      for (unsigned k = 0; k < e.fields(); ++k) {
        if (e.rf[k] == initial_write) continue;
        const views& source = graph_.view(e.rf[k]);
        v.porf.join(source.porf);
        if (!synchronizes) continue;
        v.pending.join(source.release);
        if (acquires(o)) v.hb.join(source.release);
      }
      if (!e.succeeds()) break;
      e.written = e.compares ? e.operand : modified(e.op, e.size, e.read, e.operand, e.custom);
      break;
    }
    case event_kind::store: e.written = e.operand; break;
    case event_kind::fence:
      if (acquires(e.success)) v.hb.join(v.pending);
      if (releases(e.success)) e.release_fence = static_cast<std::uint16_t>(index);
      break;
    case event_kind::join:
      for (unsigned t = 0; t < graph_.threads(); ++t) {
        if (!e.concerns(t)) continue;
        const graph::log& child = graph_.thread(t);
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
  else if (e.release_fence != 0 && !graph_.history(e.loc[0]).hidden)
    v.release = log.view[e.release_fence].hb;
  if (e.kind == event_kind::rmw) {
    for (unsigned k = 0; k < e.fields(); ++k)
      if (e.rf[k] != initial_write) v.release.join(graph_.view(e.rf[k]).release);
  }
  if (model_ == memory_model::rc11) {
    // C++11: a release sequence continues through later stores of its own thread. The last release
    // has seen all that those before it have seen.
    unsigned i = e.release_write;
    while (i != 0 && !share_location(log.events[i], e)) i = log.events[i].release_write;
    if (i != 0) v.release.join(log.view[i].hb);
  }
}

unsigned consistency::last_write(location l, const clock& hb) const {
  const auto& mo = graph_.history(l).mo;
  for (std::size_t i = mo.size(); i-- > 1;)
    if (hb.covers(mo[i])) return static_cast<unsigned>(i);
  return 0;
}

// The lock taken right before the look passes on the view of each earlier wake.
unsigned consistency::lowest_look(event_id id) const {
  const event& e = graph_.at(id);
  const clock& wakes = graph_.before(id).release;
  return e.looks == look_for::notify ? last_write(e.loc[0], wakes) : lowest(e.loc[0], wakes);
}

unsigned consistency::lowest(location l, const clock& hb) const {
  const location_history& h = graph_.history(l);
  unsigned low = 0;
  if (graph_.has_many(l)) [[unlikely]] {
    for (unsigned t = 0; t < h.accesses.size(); ++t) {
      const event_id last = graph_.last_access(l, t, hb[t]);
      if (last != 0) low = std::max(low, graph_.seen_by(last, l));
    }
    return low;
  }
  for (std::size_t i = h.mo.size(); i-- > 1;) {
    if (hb.covers(h.mo[i])) {
      low = static_cast<unsigned>(i);
      break;
    }
  }
  if (low + 1 == h.mo.size()) return low;
  for (const event_id r : h.readers) {
    if (!hb.covers(r)) continue;
    const event& reader = graph_.at(r);
    low = std::max(low, graph_.mo_position(reader.rf[reader.field_at(l)], l));
  }
  return low;
}

namespace {

// The last whole-word write at or before `position`.
event_id whole_before(const graph& g, location l, unsigned position) {
  const auto& mo = g.history(l).mo;
  for (unsigned i = position; i > 0; --i)
    if (g.at(mo[i]).fields() == 2) return mo[i];
  return initial_write;
}

}  // namespace

bool consistency::fields_torn_by_read(event_id id) const {
  const event& e = graph_.at(id);
  const unsigned low = graph_.mo_position(e.rf[0], e.loc[0]);
  const unsigned high = graph_.mo_position(e.rf[1], e.loc[1]);
  if (whole_before(graph_, e.loc[0], low) != whole_before(graph_, e.loc[1], high)) return true;
  for (const event_id r : graph_.history(e.loc[0]).readers) {
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
  if (!may_synchronize(e)) return false;
  clock hb = graph_.before(id).hb;
  for (unsigned k = 0; k < e.fields(); ++k)
    if (e.rf[k] != initial_write) hb.join(graph_.view(e.rf[k]).release);
  for (unsigned k = 0; k < e.fields(); ++k)
    if (graph_.mo_position(e.rf[k], e.loc[k]) < lowest(e.loc[k], hb)) return true;
  return false;
}

bool consistency::fields_torn_by_write(event_id id) const {
  const event& e = graph_.at(id);
  for (const event_id w : graph_.history(e.loc[0]).mo) {
    if (w == initial_write || w == id) continue;
    const event& other = graph_.at(w);
    if (other.fields() == 2 && (other.mo[0] < e.mo[0]) != (other.mo[1] < e.mo[1])) return true;
  }
  for (const event_id r : graph_.history(e.loc[0]).readers) {
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
  const auto races_with = [&](event_id x) {
    return !hb.covers(x) && (plain || graph_.at(x).effective() == order::plain) &&
           !graph_.view(x).hb.covers(id);
  };
  for (unsigned k = 0; k < e.fields(); ++k) {
    const location_history& h = graph_.history(e.loc[k]);
    // An atomic access races with plain ones only. Usually there is one, which has initialized the
    // object.
    if (!plain && !h.more_plain && hb.covers(h.plain_access)) continue;
    for (const event_id w : h.mo)
      if (w != initial_write && w != id && races_with(w)) return other = w, true;
    if (!e.writes()) continue;
    for (const event_id r : h.readers)
      if (r != id && races_with(r)) return other = r, true;
  }
  return false;
}

bool consistency::has_race() const {
  event_id other = 0;
  const auto& trail = graph_.trail();
  return std::any_of(trail.begin(), trail.end(), [&](const entry& t) {
    return t.part == 0 && graph_.at(t.id).fields() != 0 && races(t.id, other);
  });
}

}  // namespace fencepost::verify
