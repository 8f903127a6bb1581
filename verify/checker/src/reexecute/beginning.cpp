#include "reexecute/beginning.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "axioms/graph_races.hpp"
#include "axioms/mixed.hpp"
#include "model/consistency.hpp"
#include "model/nothing_follows.hpp"

namespace fencepost::verify {

namespace {

using axioms::mixed;
using kind = explored_event::kind;

const explored_event& at(const explored_graph& g, explored_name n) {
  return g.threads[n.thread][n.number - 1];
}

bool reads(const explored_event& e) { return e.what == kind::load || e.what == kind::update; }

// The predecessors of some events in program order and reads-from. One thread is deleted from an
// event on; what leads only to the deleted part is not included.
class predecessors {
 public:
  predecessors(const explored_graph& g, explored_name deleted)
      : graph_(g), deleted_(deleted), creator_(g.threads.size()), length_(g.threads.size(), 0) {
    for (unsigned t = 0; t < g.threads.size(); ++t)
      for (unsigned i = 0; i < g.threads[t].size(); ++i) {
        if (g.threads[t][i].what != kind::create) continue;
        for (unsigned u = 0; u < g.threads.size(); ++u)
          if ((g.threads[t][i].threads >> u & 1U) != 0) creator_[u] = {t, i + 1};
      }
  }

  void add(explored_name n) {
    left_.push_back(n);
    while (!left_.empty()) {
      const explored_name next = left_.back();
      left_.pop_back();
      take(next);
    }
  }
  [[nodiscard]] const std::vector<unsigned>& lengths() const noexcept { return length_; }
  [[nodiscard]] bool have(explored_name n) const noexcept { return length_[n.thread] >= n.number; }
  // True if something that is deleted leads to the events.
  [[nodiscard]] bool miss_some() const noexcept { return misses_; }

 private:
  void take(explored_name n) {
    if (n.number == 0) return;
    if (n.thread == deleted_.thread && n.number >= deleted_.number) {
      misses_ = true;
      n.number = deleted_.number - 1;
    }
    // The events of an older promise may not be in the graph.
    n.number = std::min(n.number, static_cast<unsigned>(graph_.threads[n.thread].size()));
    if (length_[n.thread] == 0 && n.number != 0) left_.push_back(creator_[n.thread]);
    while (length_[n.thread] < n.number) {
      const explored_event& e = graph_.threads[n.thread][length_[n.thread]++];
      if (reads(e))
        for (unsigned k = 0; k < 2 && e.cells[k] != no_location; ++k) left_.push_back(e.sources[k]);
      if (e.what != kind::join) continue;
      for (unsigned u = 0; u < graph_.threads.size(); ++u)
        if ((e.threads >> u & 1U) != 0)
          left_.push_back({u, static_cast<unsigned>(graph_.threads[u].size())});
    }
  }

  const explored_graph& graph_;
  const explored_name deleted_;
  std::vector<explored_name> creator_;  // by thread
  std::vector<unsigned> length_;        // by thread
  std::vector<explored_name> left_;
  bool misses_ = false;
};

kept_event kept(const explored_event& e) {
  if (reads(e)) return {kept_event::kind::read, e.read, e.writes};
  // A choice among several. What the front end does on its own account has no alternatives.
  if (e.what == kind::choose && e.operand != 0) return {kept_event::kind::choice, e.read, false};
  return {};
}

// True if a read of the write may synchronize with its thread, or with that of an earlier write.
bool may_synchronize(const explored_graph& g, explored_name write) {
  const explored_event& w = at(g, write);
  if (releases(w.success) || w.what == kind::update) return true;
  const auto& thread = g.threads[write.thread];
  return std::any_of(thread.begin(), thread.begin() + write.number, [](const explored_event& e) {
    return e.what == kind::fence && releases(e.success);
  });
}

std::uint64_t fingerprint(const beginning& b) {
  std::uint64_t h = 1;
  for (const auto& thread : b.kept) {
    h = mixed(h, thread.size());
    for (const kept_event& e : thread) {
      h = mixed(h, static_cast<std::uint64_t>(e.what));
      h = mixed(mixed(h, e.got), e.writes ? 1 : 0);
    }
  }
  for (const promise& p : b.promises) {
    h = mixed(mixed(mixed(h, p.read.thread), p.read.number), p.field);
    h = mixed(mixed(h, p.write.thread), p.kept ? p.write.number : 0);
    h = mixed(mixed(h, p.promised), p.in_other_field.value_or(0));
  }
  return h;
}

value read_from_sources(const explored_graph& g, const explored_event& e) {
  value seen = 0;
  for (unsigned k = 0; k < 2 && e.cells[k] != no_location; ++k) {
    const explored_name from = e.sources[k];
    seen |= (from.number == 0 ? g.cells[e.cells[k]].initial : left_in(at(g, from), e.cells[k]))
            << 32U * k;
  }
  return seen;
}

// The fields of `update`, a bit for each, that `first` reads from another source.
unsigned read_from_elsewhere(const explored_event& first, const explored_event& update) {
  unsigned all = 0;
  for (unsigned k = 0; k < 2; ++k)
    for (unsigned j = 0; j < 2; ++j)
      if (update.cells[k] != no_location && update.cells[k] == first.cells[j] &&
          update.sources[k] != first.sources[j])
        all |= 1U << k;
  return all;
}

// Returns `update`, with those fields read from the sources that `first` has, as the last event of
// its thread, and its predecessors. Nothing if it then writes nothing, if `first` is not a
// predecessor, or if what follows `update` is one.
std::optional<explored_graph> with_sources_of(explored_graph g, explored_name first,
                                              explored_name update, unsigned fields) {
  const explored_event& f = at(g, first);
  explored_event& e = g.threads[update.thread][update.number - 1];
  for (unsigned k = 0; k < 2; ++k)
    if ((fields >> k & 1U) != 0) e.sources[k] = f.sources[f.cells[0] == e.cells[k] ? 0 : 1];
  e.read = read_from_sources(g, e);
  e.spurious = false;
  e.writes = !e.compares || e.read == e.expected;
  if (!e.writes) return {};
  e.written = e.compares ? e.operand : modified(e.op, e.size, e.read, e.operand, e.custom);
  predecessors all(g, {update.thread, update.number + 1});
  all.add(update);
  if (all.miss_some() || !all.have(first)) return {};
  for (unsigned t = 0; t < g.threads.size(); ++t) g.threads[t].resize(all.lengths()[t]);
  for (explored_graph::cell& c : g.cells) c.order.clear();
  g.silent.clear();
  return g;
}

}  // namespace

std::vector<conflict> conflicts_of(const explored_graph& g) {
  std::vector<conflict> all;
  for (const auto& [first, second] : axioms::exchangeable_updates(g)) {
    const unsigned elsewhere = read_from_elsewhere(at(g, first), at(g, second));
    for (const unsigned fields : {1U, 2U, 3U})
      if ((fields & ~elsewhere) == 0)
        if (std::optional<explored_graph> cut = with_sources_of(g, first, second, fields))
          all.push_back({std::move(*cut), first, second});
  }
  return all;
}

value left_in(const explored_event& write, location l) {
  if (write.cells[1] == no_location) return write.written;
  return write.cells[0] == l ? write.written & 0xffffffff : write.written >> 32;
}

std::string unsupported(const explored_graph& g, explored_name read, explored_name write) {
  const explored_event& r = at(g, read);
  if (!reads(r) || at(g, write).what == kind::choose)
    return "it involves an access that the front end makes by itself";
  return "";
}

bool leads_to_more(const explored_graph& g, explored_name read, explored_name write) {
  return read.thread != write.thread && at(g, read).cells[1] != no_location;
}

bool leads_nowhere(const explored_graph& g, explored_name read, explored_name write) {
  const explored_event& r = at(g, read);
  return reads(r) &&
         nothing_follows(r, r.cells[1] != no_location, left_in(at(g, write), r.cells[0]));
}

std::vector<field_set> fields_to_promise(const explored_graph& g, explored_name read,
                                         explored_name write) {
  const explored_event &r = at(g, read), &w = at(g, write);
  field_set possible = 0;
  for (unsigned k = 0; k < 2 && r.cells[k] != no_location; ++k)
    if ((r.cells[k] == w.cells[0] || r.cells[k] == w.cells[1]) && r.sources[k] != write)
      possible |= 1U << k;
  std::vector<field_set> all;
  for (const field_set some : {1U, 2U, 3U})
    if ((some & ~possible) == 0) all.push_back(some);
  return all;
}

beginning beginning_of(const explored_graph& g, const std::vector<promise>& older,
                       explored_name read, explored_name write, field_set fields) {
  beginning b;
  predecessors kept_part(g, read);
  kept_part.add({read.thread, read.number - 1});
  kept_part.add(write);
  // Older promises stay, unless the reading thread runs again from before the promised read. So
  // does a promise for the other field of this read.
  for (const promise& p : older) {
    const bool other_field = p.read == read && (fields >> p.field & 1U) == 0;
    if (p.read.thread == read.thread && p.read.number >= read.number && !other_field) continue;
    if (p.read.number > g.threads[p.read.thread].size()) continue;
    if (!other_field) kept_part.add(p.read);
    kept_part.add(p.write);
    b.promises.push_back(p);
  }
  const explored_event &r = at(g, read), &w = at(g, write);
  for (unsigned k = 0; k < 2; ++k) {
    if ((fields >> k & 1U) == 0) continue;
    std::optional<value> other;
    if (w.cells[1] != no_location) other = left_in(w, w.cells[r.cells[k] == w.cells[0] ? 1 : 0]);
    b.promises.push_back({read, write, k, true, left_in(w, r.cells[k]), other,
                          may_synchronize(g, write), r.where, w.where});
  }
  for (promise& p : b.promises) p.kept = kept_part.have(p.write);
  for (unsigned t = 0; t < g.threads.size(); ++t) {
    const auto& all = g.threads[t];
    b.kept.emplace_back();
    std::transform(all.begin(), all.begin() + kept_part.lengths()[t],
                   std::back_inserter(b.kept.back()), kept);
  }
  b.fingerprint = fingerprint(b);
  return b;
}

}  // namespace fencepost::verify
