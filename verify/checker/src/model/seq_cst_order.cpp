#include "model/seq_cst_order.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <utility>

namespace fencepost::verify {

// Numbers the sequentially consistent events.
void seq_cst_order::collect() const {
  nodes_.clear();
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    const graph::log& l = graph_.thread(t);
    for (unsigned i = 1; i <= l.length(); ++i) {
      const event& e = l.events[i];
      e.node = ~0U;
      if (!e.may_be_sc()) continue;
      if (e.fields() == 0 ? e.kind != event_kind::fence : e.effective() != order::seq_cst) continue;
      if (e.torn && e.success != order::seq_cst) continue;  // it may still succeed
      e.node = static_cast<unsigned>(nodes_.size());
      nodes_.push_back(make_id(t, i));
    }
  }
}

// The end of a thread, which is one further than its last event, and its beginning access no
// location either.
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

// For each sequentially consistent event, the set of those that must come before it.
//
// Every cycle goes through eco somewhere, and an edge through eco begins at all fences that happen
// before its first access and ends at all fences that its last access happens before. So edges of
// happens-before alone matter between accesses only; and of the fences of one thread, which come
// one after the other, it is enough to take the last one before an access and the first one after.
template <unsigned Words>
class seq_cst_order::dense {
 public:
  explicit dense(const seq_cst_order& o)
      : order_(o), graph_(o.graph_), nodes_(o.nodes_), standard_(o.model_ == memory_model::cpp20) {
    before_.assign(nodes_.size(), set{});
  }

  void fence_edges();
  void hb_edges();
  void eco_edges();
  [[nodiscard]] bool has_cycle() const;

 private:
  using set = std::bitset<std::size_t{64} * Words>;
  static constexpr unsigned none = ~0U;
  struct fenced {
    unsigned thread = 0;
    std::vector<unsigned> nodes, indices;
    std::vector<const clock*> hb;
  };

  // For its memory.
  template <class Buffer>
  static Buffer& kept() {
    static thread_local Buffer buffer;
    return buffer;
  }
  [[nodiscard]] set source(event_id) const;
  void add(event_id target, const set& all, bool by_reading);

  const seq_cst_order& order_;
  const graph& graph_;
  const std::vector<event_id>& nodes_;
  const bool standard_;  // the text of the standard, not psc
  set fence_nodes_;
  unsigned fencing_ = 0;  // threads that have fences: so many of fences_
  std::vector<set>& before_ = kept<std::vector<set>>();  // edges into each node
  std::array<fenced, max_threads>& fences_ = kept<std::array<fenced, max_threads>>();
};

// Nodes are in order of thread and index.
template <unsigned Words>
void seq_cst_order::dense<Words>::fence_edges() {
  for (unsigned i = 0; i < nodes_.size(); ++i) {
    if (graph_.at(nodes_[i]).kind != event_kind::fence) continue;
    if (fencing_ == 0 || thread_of(nodes_[i]) != fences_[fencing_ - 1].thread) {
      fenced& next = fences_[fencing_++];
      next.thread = thread_of(nodes_[i]);
      next.nodes.clear();
      next.indices.clear();
      next.hb.clear();
    }
    fenced& mine = fences_[fencing_ - 1];
    if (!mine.nodes.empty()) before_[i].set(mine.nodes.back());
    mine.nodes.push_back(i);
    mine.indices.push_back(index_of(nodes_[i]));
    mine.hb.push_back(&graph_.view(nodes_[i]).hb);
    fence_nodes_.set(i);
  }
}

// What happens-before alone orders, between accesses.
template <unsigned Words>
void seq_cst_order::dense<Words>::hb_edges() {
  for (unsigned j = 0; j < nodes_.size(); ++j) {
    if (fence_nodes_[j]) continue;
    const event_id y = nodes_[j];
    for (unsigned i = 0; i < nodes_.size(); ++i) {
      const event_id x = nodes_[i];
      if (i == j || fence_nodes_[i]) continue;
      bool edge = false;
      if (thread_of(x) == thread_of(y))
        edge = index_of(x) < index_of(y);
      else if (standard_)  // strongly happens before: po;hb;po
        edge = graph_.before(y).hb.covers(x + 1);
      else if (graph_.view(y).hb.covers(x))
        edge = share_location(graph_.at(x), graph_.at(y)) || order_.through_other_locations(x, y);
      if (edge) before_[j].set(i);
    }
  }
}

// The nodes that an edge through eco which begins at `e` begins at.
template <unsigned Words>
auto seq_cst_order::dense<Words>::source(event_id e) const -> set {
  set s;
  if (e == initial_write) return s;
  const unsigned self = graph_.at(e).node;
  if (self != none) s.set(self);
  const clock& hb = graph_.view(e).hb;
  for (unsigned t = 0; t < fencing_; ++t) {
    const unsigned lane = hb[fences_[t].thread];
    for (std::size_t k = fences_[t].nodes.size(); k-- > 0;) {
      if (fences_[t].indices[k] > lane) continue;
      s.set(fences_[t].nodes[k]);
      break;
    }
  }
  return s;
}

// by_reading: the pair is in eco but not in mo ∪ fr; psc then relates fences alone.
template <unsigned Words>
void seq_cst_order::dense<Words>::add(event_id target, const set& all, bool by_reading) {
  if (target == initial_write) return;
  const bool fences_only = by_reading && !standard_;
  const set from = fences_only ? all & fence_nodes_ : all;
  if (from.none()) return;
  const unsigned self = graph_.at(target).node;
  if (self != none && !fences_only) before_[self] |= from;
  const unsigned thread = thread_of(target), index = index_of(target);
  for (unsigned t = 0; t < fencing_; ++t) {
    for (std::size_t k = 0; k < fences_[t].nodes.size(); ++k) {
      if ((*fences_[t].hb[k])[thread] < index) continue;
      before_[fences_[t].nodes[k]] |= from;
      break;
    }
  }
}

// What the modification order of each location orders, going up.
template <unsigned Words>
void seq_cst_order::dense<Words>::eco_edges() {
  for (location l = 0; l < graph_.locations(); ++l) {
    const location_history& h = graph_.history(l);
    if (h.mo.size() < 2 || h.hidden) continue;
    static thread_local std::vector<std::pair<unsigned, event_id>> readers;  // by what they read
    readers.clear();
    for (const event_id r : h.readers) {
      const event& e = graph_.at(r);
      if (e.torn && e.field_at(l) == 1) continue;  // it has not read this one yet
      readers.emplace_back(graph_.mo_position(e.rf[e.field_at(l)], l), r);
    }
    const auto each_reader = [&](std::size_t position, auto&& f) {
      for (const auto& [at, r] : readers)
        if (at == position) f(r);
    };
    set below;  // writes below, and their readers, which precede the next write (mo, fr)
    for (std::size_t i = 0; i < h.mo.size(); ++i) {
      const event_id w = h.mo[i];
      set as_reader;  // w, if it is a read-modify-write, does not precede itself
      if (i > 0) each_reader(i - 1, [&](event_id r) { (r == w ? as_reader : below) |= source(r); });
      add(w, below, false);
      below |= as_reader | source(w);
      each_reader(i, [&](event_id r) { add(r, below, true); });
    }
  }
}

// Takes away minimal nodes until none is left or a cycle is.
template <unsigned Words>
bool seq_cst_order::dense<Words>::has_cycle() const {
  set left;
  for (std::size_t i = 0; i < nodes_.size(); ++i) left.set(i);
  for (bool progress = true; progress && left.any();) {
    progress = false;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (left[i] && (before_[i] & left).none()) {
        left.reset(i);
        progress = true;
      }
    }
  }
  return left.any();
}

bool seq_cst_order::exists(event_id changed) const {
  if (graph_.seq_cst_events() < 2) return true;
  // Whatever leaves `changed` in the order starts at it, or at a fence before it.
  collect();
  if (nodes_.size() < 2) return true;
  const clock& hb = graph_.view(changed).hb;
  const bool source = std::any_of(nodes_.begin(), nodes_.end(), [&](event_id n) {
    return n == changed || (graph_.at(n).kind == event_kind::fence && hb.covers(n));
  });
  return !source || exists();
}

bool seq_cst_order::exists() const {
  if (graph_.seq_cst_events() < 2) return true;
  collect();
  if (nodes_.size() < 2) return true;
  const auto has_cycle = [](auto order) {
    order.fence_edges();
    order.hb_edges();
    order.eco_edges();
    return order.has_cycle();
  };
  if (nodes_.size() <= 64) return !has_cycle(dense<1>(*this));
  if (nodes_.size() <= 256) return !has_cycle(dense<4>(*this));
  return exists_sparsely();
}

}  // namespace fencepost::verify
