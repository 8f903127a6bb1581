// The order of sequentially consistent events, for long executions.
//
// seq_cst_order::dense keeps for each event the set of those that must come before it, which takes
// the square of their number. Here the same relation is a graph of few edges, of which the
// relation is the closure: of all events of a thread that come before an event, the last one is
// enough, since the others come before that one; and what the order of a location says goes through
// two chains of nodes that are no events, one for all that is below in modification order and one
// for the fences among it.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "model/seq_cst_order.hpp"

namespace fencepost::verify {

namespace {

class edges {
 public:
  explicit edges(std::size_t nodes) : nodes_(static_cast<unsigned>(nodes)) {}

  unsigned new_node() { return nodes_++; }
  void add(unsigned from, unsigned to) { all_.emplace_back(from, to); }

  // Takes away nodes that nothing comes before, until none is left or a cycle is.
  [[nodiscard]] bool acyclic() const {
    std::vector<unsigned> begin(nodes_ + std::size_t{2}), open_edges(nodes_), to(all_.size());
    for (const auto& [from, target] : all_) {
      ++begin[from + std::size_t{2}];
      ++open_edges[target];
    }
    for (std::size_t i = 2; i < begin.size(); ++i) begin[i] += begin[i - 1];
    for (const auto& [from, target] : all_) to[begin[from + std::size_t{1}]++] = target;
    std::vector<unsigned> ready;
    for (unsigned n = 0; n < nodes_; ++n)
      if (open_edges[n] == 0) ready.push_back(n);
    for (std::size_t done = 0; done < ready.size(); ++done)
      for (unsigned k = begin[ready[done]]; k < begin[ready[done] + std::size_t{1}]; ++k)
        if (--open_edges[to[k]] == 0) ready.push_back(to[k]);
    return ready.size() == nodes_;
  }

 private:
  unsigned nodes_;
  std::vector<std::pair<unsigned, unsigned>> all_;
};

constexpr unsigned none = ~0U;

// The events of a thread in runs that access the same fields.
class runs {
 public:
  explicit runs(const graph::log& l) : begin_(l.length() + std::size_t{1}), end_(begin_.size()) {
    for (unsigned i = 1; i <= l.length(); ++i)
      begin_[i] = i > 1 && same(l.events[i], l.events[i - 1]) ? begin_[i - 1] : i;
    for (unsigned i = l.length(); i > 0; --i)
      end_[i] = i < l.length() && same(l.events[i], l.events[i + 1]) ? end_[i + 1] : i;
  }
  [[nodiscard]] unsigned begin(unsigned index) const noexcept { return begin_[index]; }
  [[nodiscard]] unsigned end(unsigned index) const noexcept { return end_[index]; }

 private:
  static bool same(const event& a, const event& b) noexcept {
    return a.loc[0] == b.loc[0] && a.loc[1] == b.loc[1];
  }
  std::vector<unsigned> begin_, end_;
};

// The fences of a thread among the nodes, and its other nodes: the accesses.
struct of_thread {
  std::vector<unsigned> fences, fence_indices;
  std::vector<const clock*> fence_hb;
  std::vector<unsigned> accesses, access_indices;
};

// The position of the last index that is at most `most`, or none.
unsigned last_upto(const std::vector<unsigned>& indices, unsigned most) noexcept {
  const auto after = std::upper_bound(indices.begin(), indices.end(), most);
  return after == indices.begin() ? none : static_cast<unsigned>(after - indices.begin()) - 1;
}

}  // namespace

bool seq_cst_order::exists_sparsely() const {
  const std::vector<event_id>& nodes = nodes_;
  const bool standard = model_ == memory_model::cpp20;
  edges order(nodes.size());
  std::array<of_thread, max_threads> threads;
  std::vector<unsigned> fencing;  // the threads that have fences
  for (unsigned i = 0; i < nodes.size(); ++i) {
    const unsigned thread = thread_of(nodes[i]);
    of_thread& t = threads[thread];
    if (graph_.at(nodes[i]).kind == event_kind::fence) {
      if (t.fences.empty())
        fencing.push_back(thread);
      else
        order.add(t.fences.back(), i);
      t.fences.push_back(i);
      t.fence_indices.push_back(index_of(nodes[i]));
      t.fence_hb.push_back(&graph_.view(nodes[i]).hb);
    } else {
      if (!t.accesses.empty()) order.add(t.accesses.back(), i);
      t.accesses.push_back(i);
      t.access_indices.push_back(index_of(nodes[i]));
    }
  }

  // What happens-before alone says, between accesses.
  std::vector<runs> same_fields;
  for (unsigned t = 0; t < graph_.threads(); ++t) same_fields.emplace_back(graph_.thread(t));
  std::vector<std::vector<event_id>> accesses_to(graph_.locations());
  for (const event_id x : nodes)
    for (unsigned k = 0; k < graph_.at(x).fields(); ++k)
      accesses_to[graph_.at(x).loc[k]].push_back(x);
  for (unsigned j = 0; j < nodes.size(); ++j) {
    const event_id y = nodes[j];
    const event& ey = graph_.at(y);
    if (ey.kind == event_kind::fence) continue;
    // The last event before y that is to another location.
    const graph::log& ly = graph_.thread(thread_of(y));
    unsigned ahead = index_of(y) - 1;
    while (ahead > 0 && share_location(ly.events[ahead], ey))
      ahead = same_fields[thread_of(y)].begin(ahead) - 1;
    for (unsigned t = 0; t < graph_.threads(); ++t) {
      const of_thread& other = threads[t];
      if (t == thread_of(y) || other.accesses.empty()) continue;
      if (standard) {  // strongly happens before: po;hb;po
        const unsigned lane = graph_.before(y).hb[t];
        const unsigned x = lane == 0 ? none : last_upto(other.access_indices, lane - 1);
        if (x != none) order.add(other.accesses[x], j);
        continue;
      }
      // To the same location.
      const event_id known = make_id(t, std::min(graph_.view(y).hb[t], graph_.thread(t).length()));
      for (unsigned k = 0; k < ey.fields(); ++k) {
        const auto& all = accesses_to[ey.loc[k]];
        const auto after = std::upper_bound(all.begin(), all.end(), known);
        if (after != all.begin() && thread_of(*std::prev(after)) == t)
          order.add(graph_.at(*std::prev(after)).node, j);
      }
      // Through other locations; also through the beginning of y's thread, or the end of the other.
      const graph::log& lx = graph_.thread(t);
      const unsigned upto = ly.view[ahead].hb[t];
      if (upto == 0) continue;
      if (upto > lx.length()) {
        order.add(other.accesses.back(), j);
        continue;
      }
      const auto leaves_location = [&](unsigned x) {
        unsigned z = x + 1;
        while (z <= upto && share_location(lx.events[z], lx.events[x]))
          z = same_fields[t].end(z) + 1;
        return z <= upto;
      };
      const unsigned before_run = lx.events[upto].fields() == 0 ? upto : same_fields[t].begin(upto);
      unsigned x = last_upto(other.access_indices, before_run - 1);
      while (x != none && !leaves_location(other.access_indices[x])) x = x == 0 ? none : x - 1;
      if (x != none) order.add(other.accesses[x], j);
    }
  }

  // What the order of each location says, going up in modification order.
  const auto lead = [&](event_id e, unsigned all, unsigned fences) {
    if (e == initial_write) return;
    const unsigned self = graph_.at(e).node;
    if (self != none) order.add(self, all);
    for (const unsigned t : fencing) {
      const unsigned last = last_upto(threads[t].fence_indices, graph_.view(e).hb[t]);
      if (last == none) continue;
      order.add(threads[t].fences[last], all);
      order.add(threads[t].fences[last], fences);
    }
  };
  const auto lead_from = [&](unsigned node, event_id target, bool to_fences_alone) {
    if (target == initial_write) return;
    const unsigned self = graph_.at(target).node;
    if (self != none && !to_fences_alone) order.add(node, self);
    for (const unsigned t : fencing) {
      const auto& hb = threads[t].fence_hb;
      const auto first = std::partition_point(hb.begin(), hb.end(),
                                              [&](const clock* c) { return !c->covers(target); });
      if (first != hb.end())
        order.add(node, threads[t].fences[static_cast<std::size_t>(first - hb.begin())]);
    }
  };
  std::vector<std::pair<unsigned, event_id>> readers;  // by what they read
  for (location l = 0; l < graph_.locations(); ++l) {
    const location_history& h = graph_.history(l);
    if (h.mo.size() < 2) continue;
    readers.clear();
    for (const event_id r : h.readers) {
      const event& e = graph_.at(r);
      if (e.torn && e.field_at(l) == 1) continue;  // it has not read this one yet
      readers.emplace_back(graph_.mo_position(e.rf[e.field_at(l)], l), r);
    }
    std::sort(readers.begin(), readers.end());
    unsigned all = order.new_node(), fences = order.new_node();  // all that is below, so far
    const auto go_up = [&] {
      const unsigned next_all = order.new_node(), next_fences = order.new_node();
      order.add(all, next_all);
      order.add(fences, next_fences);
      all = next_all;
      fences = next_fences;
    };
    auto of_previous = readers.begin(), next = readers.begin();
    for (unsigned i = 0; i < h.mo.size(); ++i) {
      const event_id w = h.mo[i];
      // A read precedes the next write (fr); a read-modify-write does not precede itself.
      for (; of_previous != next; ++of_previous)
        if (of_previous->second != w) lead(of_previous->second, all, fences);
      lead_from(all, w, false);
      go_up();
      lead(w, all, fences);
      for (; next != readers.end() && next->first == i; ++next)
        // The pair is in eco but not in mo ∪ fr: psc then relates fences alone.
        lead_from(standard ? all : fences, next->second, !standard);
      go_up();
    }
  }
  return order.acyclic();
}

}  // namespace fencepost::verify
