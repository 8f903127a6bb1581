#include "explore/symmetry.hpp"

#include <algorithm>
#include <cstring>

#include "graph/mix.hpp"

namespace fencepost::verify {

namespace {

// True if both are the same operation, whatever it is applied to.
bool same_operation(const event& a, const event& b) noexcept {
  return a.kind == b.kind && a.fields() == b.fields() && a.success == b.success &&
         a.failure == b.failure && a.op == b.op && a.custom == b.custom && a.size == b.size &&
         a.compares == b.compares && a.weak == b.weak && a.awaits == b.awaits &&
         a.waits == b.waits && a.charge == b.charge && a.looks == b.looks;
}

// True if each of the two requests may have the other's result. The values written may be the
// threads' own: a number, the address of a node.
bool interchangeable(const event& a, const event& b) noexcept {
  if (!same_operation(a, b) || a.loc[0] != b.loc[0] || a.loc[1] != b.loc[1]) return false;
  switch (a.kind) {
    case event_kind::load:
    case event_kind::rmw: return a.expected == b.expected;
    case event_kind::choose: return a.operand == b.operand;
    case event_kind::store:
    case event_kind::fence: return true;
    case event_kind::create:
    case event_kind::join:
    case event_kind::none: return false;
  }
  return false;
}

// True if the threads know the same afterwards, and no other thread can tell one from the other.
bool same_step(const event& a, const event& b) noexcept {
  return interchangeable(a, b) && !a.writes() && !b.writes() && !a.torn && !b.torn &&
         a.rf[0] == b.rf[0] && a.rf[1] == b.rf[1] && a.read == b.read && a.spurious == b.spurious;
}

bool same_place(const source_location& a, const source_location& b) noexcept {
  return a.line == b.line && a.column == b.column && std::strcmp(a.file, b.file) == 0;
}

}  // namespace

symmetry::symmetry(graph& g, const options& o, const std::vector<unsigned>& preferred)
    : graph_(g),
      alike_(o.symmetric),
      // With random executions or a bound on preemptions, a graph does not represent its class.
      reduces_(o.symmetry && o.symmetric.count > 1 && o.samples == 0 && !o.preemptions) {
  for (unsigned i = 0; i < preferred.size(); ++i) rank_[preferred[i]] = i;
}

void symmetry::created(const unsigned* ids, unsigned count) {
  if (alike_.count < 2 || count < alike_.first + alike_.count) return;
  std::vector<unsigned> group(ids + alike_.first, ids + alike_.first + alike_.count);
  std::sort(group.begin(), group.end(),
            [this](unsigned a, unsigned b) { return rank_[a] < rank_[b]; });
  for (const unsigned t : group) {
    groups_[t] = group;
    grouped_.push_back(t);
  }
  if (reduces_) used_ = alike_.count;
}

bool symmetry::in_step(unsigned a, unsigned b, unsigned events) const {
  const auto& of_a = graph_.thread(a).events;
  const auto& of_b = graph_.thread(b).events;
  for (unsigned i = 1; i <= events; ++i)
    if (!same_step(of_a[i], of_b[i])) return false;
  return true;
}

// Returns the other thread's event with the same index if the two are twins, otherwise 0.
event_id symmetry::twin(unsigned other, event_id id) const {
  const unsigned index = index_of(id);
  const graph::log& l = graph_.thread(other);
  if (l.length() < index || !interchangeable(l.events[index], graph_.at(id)) ||
      !in_step(other, thread_of(id), index - 1))
    return 0;
  return make_id(other, index);
}

void symmetry::depend_on_twins(event_id id) {
  for (const unsigned other : groups_[thread_of(id)]) {
    if (other == thread_of(id)) return;
    if (const event_id t = twin(other, id); t != 0) graph_.add_dependency(id, t);
  }
}

bool symmetry::before_neighbour(event_id id) const {
  const auto& group = groups_[thread_of(id)];
  if (group.front() == thread_of(id)) return false;
  const unsigned neighbour = *(std::find(group.begin(), group.end(), thread_of(id)) - 1);
  const event_id other = twin(neighbour, id);
  if (other == 0) return false;
  const event& e = graph_.at(id);
  const event& first = graph_.at(other);
  if (e.kind == event_kind::choose) return e.read > first.read;
  if (e.kind == event_kind::store) return e.mo[0] < first.mo[0];
  if (!e.reads() || e.torn || first.torn) return false;
  for (unsigned k = 0; k < e.fields(); ++k) {
    if (e.rf[k] == first.rf[k]) continue;
    const unsigned mine = graph_.mo_position(e.rf[k], e.loc[k]);
    const unsigned its = graph_.mo_position(first.rf[k], e.loc[k]);
    if (mine > its) return false;
    // The neighbour cannot have this source if it depends on what the neighbour has done.
    const auto depends = [&](event_id source) {
      return source != initial_write && graph_.view(source).porf.covers(other);
    };
    return std::none_of(std::begin(e.rf), std::end(e.rf), depends);
  }
  return e.spurious && first.succeeds();
}

symmetry::standing symmetry::compare(unsigned thread, const event& e, const source_location& where,
                                     unsigned other, const event* wanted, bool ended) const {
  const graph::log& mine = graph_.thread(thread);
  const graph::log& its = graph_.thread(other);
  const unsigned next = mine.length() + 1;
  if (its.length() >= next) {
    if (!in_step(thread, other, next - 1)) return standing::fine;
    return same_operation(e, its.events[next]) && same_place(where, its.where[next])
               ? standing::fine
               : standing::unlike;
  }
  if (!in_step(thread, other, its.length())) return standing::fine;
  if (ended) return standing::unlike;
  if (rank_[other] > rank_[thread]) return standing::fine;
  const event& against = its.length() + 1 == next ? e : mine.events[its.length() + 1];
  return wanted != nullptr && !interchangeable(*wanted, against) ? standing::fine
                                                                 : standing::overtaken;
}

bool symmetry::ends_like(unsigned thread, unsigned other) const {
  const unsigned length = graph_.thread(thread).length();
  return graph_.thread(other).length() <= length || !in_step(thread, other, length);
}

namespace {

// A fingerprint of the graph with its threads in this order. Locations are numbered as threads
// first access them; values, which may be a thread's own, follow from the rest.
std::uint64_t in_order(const graph& g, const std::array<unsigned, max_threads>& order) {
  std::array<std::uint64_t, max_threads> name{};
  for (unsigned i = 0; i < max_threads; ++i) name[order[i]] = i + 1;
  const auto event_name = [&](event_id id) {
    return id == initial_write ? 0 : mix(name[thread_of(id)], index_of(id));
  };
  std::vector<location> met;
  std::uint64_t h = 0;
  for (const unsigned t : order) {
    for (unsigned i = 1; i <= g.thread(t).length(); ++i) {
      const event& e = g.thread(t).events[i];
      h = mix(h, name[t]);
      h = mix(h, static_cast<std::uint64_t>(e.kind) << 8U | static_cast<unsigned>(e.effective()));
      h = mix(h, e.kind == event_kind::choose ? e.read : e.spurious);
      for (unsigned k = 0; k < e.fields(); ++k) {
        auto at = std::find(met.begin(), met.end(), e.loc[k]);
        if (at == met.end()) at = met.insert(at, e.loc[k]);
        h = mix(h, static_cast<std::uint64_t>(at - met.begin()));
        if (e.reads()) h = mix(h, event_name(e.rf[k]));
      }
    }
  }
  for (const location l : met) {
    h = mix(h, l == no_location);
    for (const event_id w : g.history(l).mo) h = mix(h, event_name(w));
  }
  return h;
}

}  // namespace

std::uint64_t symmetry::class_fingerprint() const {
  std::array<unsigned, max_threads> order{};
  for (unsigned t = 0; t < max_threads; ++t) order[t] = t;
  const auto alike = std::find_if(groups_.begin(), groups_.end(),
                                  [](const std::vector<unsigned>& g) { return !g.empty(); });
  if (alike == groups_.end()) return in_order(graph_, order);
  std::vector<unsigned> places = *alike;
  std::sort(places.begin(), places.end());
  std::vector<unsigned> threads = places;
  std::uint64_t least = ~std::uint64_t{0};
  do {
    for (std::size_t i = 0; i < places.size(); ++i) order[places[i]] = threads[i];
    least = std::min(least, in_order(graph_, order));
  } while (std::next_permutation(threads.begin(), threads.end()));
  return least;
}

}  // namespace fencepost::verify
