#include "explore/load_buffering.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "graph/described_graph.hpp"
#include "model/nothing_follows.hpp"

namespace fencepost::verify {

namespace {

auto place(const source_location& at) {
  return std::tuple(std::string_view(at.file), at.line, at.column);
}

auto places(const load_buffering_race& r) {
  return std::tuple_cat(place(r.read), place(r.write), place(r.store));
}

void add(std::vector<load_buffering_race>& sum, const load_buffering_race& r) {
  const auto at = std::lower_bound(sum.begin(), sum.end(), r,
                                   [](const load_buffering_race& a, const load_buffering_race& b) {
                                     return places(a) < places(b);
                                   });
  if (at == sum.end() || places(*at) != places(r)) sum.insert(at, r);
}

}  // namespace

void add(std::vector<load_buffering_race>& sum, const std::vector<load_buffering_race>& more) {
  for (const load_buffering_race& r : more) add(sum, r);
}

void load_buffering::look_for_reads(event_id write) {
  before_what_ = 0;
  const views& v = graph_.view(write);
  const event& w = graph_.at(write);
  for (unsigned k = 0; k < w.fields(); ++k) {
    const location_history& h = graph_.history(w.loc[k]);
    if (h.hidden) continue;           // a list of waiters, which the system's own lock guards
    constexpr std::size_t many = 64;  // with so many readers, one race is enough
    for (std::size_t n = h.readers.size(); n-- > 0;) {
      const event_id r = h.readers[n];
      if (!v.porf.covers(r) || r == write) continue;
      if (races(r, write, w.loc[k]) && h.readers.size() > many && !tells_each()) break;
    }
  }
}

// What a read-modify-write itself releases does not keep it before the write: with the value of
// that write, the write would no longer read from it, nor from what follows it.
bool load_buffering::stays_before(event_id read, event_id write) const {
  const unsigned known = graph_.view(write).hb[thread_of(read)];
  return graph_.at(read).writes() ? known > index_of(read) : known >= index_of(read);
}

bool load_buffering::races(event_id read, event_id write, location at) {
  if (stays_before(read, write)) return false;
  const event& r = graph_.at(read);
  if (nothing_follows(r, r.fields() == 2, graph_.written(write, at))) return false;
  const graph::log& l = graph_.thread(thread_of(read));
  const unsigned end = graph_.view(write).porf[thread_of(read)];
  for (unsigned i = index_of(read) + 1; i <= end; ++i) {
    const event& e = l.events[i];
    if (e.kind == event_kind::fence && (acquires(e.success) || releases(e.success))) return false;
    if (!e.writes() || releases(e.effective())) continue;
    if (is_way(read, make_id(thread_of(read), i), write, at)) return true;
  }
  return false;
}

bool load_buffering::is_way(event_id read, event_id store, event_id write, location at) {
  const load_buffering_race race{graph_.where(read), graph_.where(write), graph_.where(store)};
  // Compared by their pointers, for speed: most races come again and again.
  const bool known = std::find(found_.begin(), found_.end(), race) != found_.end();
  if (known && !tells_each()) return true;
  if (before_what_ != write) find_predecessors(write);
  const event& s = graph_.at(store);
  const clock& hb = graph_.view(write).hb;
  for (unsigned k = 0; k < s.fields(); ++k)
    for (const event_id r : graph_.history(s.loc[k]).readers) {
      const event& reader = graph_.at(r);
      if (reader.rf[reader.field_at(s.loc[k])] != store) continue;
      if (thread_of(r) == thread_of(store)) continue;
      if (s.loc[k] == at && hb.covers(r)) continue;
      if (before_[thread_of(r)] < index_of(r)) continue;
      if (!known) add(found_, race);
      if (tells_each()) tell(read, write);
      return true;
    }
  return false;
}

void load_buffering::tell(event_id read, event_id write) const {
  if (graph_.history(graph_.at(read).loc[0]).hidden) return;
  const auto name_of = [](event_id id) { return explored_name{thread_of(id), index_of(id)}; };
  options_.on_load_buffering_race(describe(graph_, graph_.threads(), {}), name_of(read),
                                  name_of(write));
}

void load_buffering::find_predecessors(event_id write) {
  before_what_ = write;
  before_.fill(0);
  std::vector<event_id> left{write};
  const auto from = [&](const event& e) {
    if (e.kind == event_kind::join) {
      for (unsigned t = 0; t < graph_.threads(); ++t)
        if (e.concerns(t)) left.push_back(make_id(t, graph_.thread(t).length()));
    } else if (e.reads()) {
      for (unsigned k = 0; k < e.fields(); ++k)
        if (e.rf[k] != initial_write) left.push_back(e.rf[k]);
    }
  };
  while (!left.empty()) {
    const unsigned t = thread_of(left.back()), i = index_of(left.back());
    left.pop_back();
    const clock& creation = graph_.thread(t).view[0].porf;
    for (unsigned u = 0; u < graph_.threads() && before_[t] == 0; ++u)
      if (creation[u] > before_[u]) left.push_back(make_id(u, creation[u]));
    for (unsigned& known = before_[t]; known < i;) from(graph_.thread(t).events[++known]);
  }
}

}  // namespace fencepost::verify
