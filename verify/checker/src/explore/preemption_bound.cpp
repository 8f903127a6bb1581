#include "explore/preemption_bound.hpp"

#include <algorithm>
#include <utility>

#include "explore/preemptions.hpp"

namespace fencepost::verify {

bool preemption_bound::waits(event_id id) const {
  const event& e = graph_.at(id);
  if (e.awaits || e.kind == event_kind::join) return true;
  if (!e.reads()) return false;
  return sites_.waits_at(graph_.where(id));
}

namespace {

clock all_of(const graph& g) {
  clock all;
  for (unsigned t = 0; t < g.threads(); ++t) all.set(t, g.thread(t).length());
  return all;
}

}  // namespace

// The events that no revisit deletes.
clock preemption_bound::lasting() const {
  clock part;
  const clock nothing;
  for (const entry& t : graph_.trail()) {
    const event& e = graph_.at(t.id);
    if (t.part == 2) continue;
    if (e.reads() && e.rf[t.part] != initial_write && graph_.stamp(e.rf[t.part]) > t.stamp) {
      part.join(graph_.view(e.rf[t.part]).porf);
    } else if (t.part == 0 && !exploration_.maximal(t, nothing)) {
      part.join(graph_.view(t.id).porf);
    }
  }
  return part;
}

// How many preemptions may disappear when what is not in `part` is deleted, if that is known.
std::optional<unsigned> preemption_bound::slack(const clock& part, unsigned created,
                                                const std::function<bool(unsigned)>& ends) const {
  const clock all = all_of(graph_);
  unsigned threads = 0;
  bool another_may_revisit = false;
  for (unsigned t = 0; t < created; ++t) {
    bool leaves = false;
    for (unsigned i = 1; i <= all[t]; ++i) {
      const event_id id = make_id(t, i);
      const event& e = graph_.at(id);
      const bool waiting = waits(id);
      const bool goes_on = i < all[t] && !waits(id + 1);
      if (waiting && e.kind != event_kind::join) return {};
      if (e.kind == event_kind::join && goes_on && !(graph_.view(id).porf == all)) return {};
      if (e.kind == event_kind::create && goes_on && !creates_behind(e, t)) return {};
      leaves = leaves || (i > 1 && i > part[t] && !waiting);
    }
    if (leaves) ++threads;
    another_may_revisit = another_may_revisit || (!leaves && !ends(t));
  }
  return threads == 0 || another_may_revisit ? threads : threads - 1;
}

// True if the threads that the event creates are less preferred than their creator.
bool preemption_bound::creates_behind(const event& e, unsigned creator) const {
  for (const unsigned t : by_priority_) {
    if (t == creator) return true;
    if (e.concerns(t)) return false;
  }
  return true;
}

unsigned preemption_bound::count() const {
  return preemption_count(graph_, all_of(graph_), [&](event_id id) { return waits(id); }).least();
}

// What lasts changes only with choices, and the count only when a thread reads from another one:
// most events change nothing here.
bool preemption_bound::exceeded(unsigned created, const std::function<bool(unsigned)>& ends) {
  const std::size_t before = std::exchange(counted_, graph_.trail().size());
  const auto reads_another = [&](const entry& t) {
    const event& e = graph_.at(t.id);
    return e.reads() && t.part < 2 && e.rf[t.part] != initial_write &&
           thread_of(e.rf[t.part]) != thread_of(t.id);
  };
  if (before != 0 && std::none_of(graph_.trail().begin() + static_cast<std::ptrdiff_t>(before),
                                  graph_.trail().end(), reads_another))
    return false;
  // No execution has more preemptions than events.
  const unsigned bound = std::min(*options_.preemptions, max_threads * max_index);
  const auto waiting = [&](event_id id) { return waits(id); };
  preemption_count all(graph_, all_of(graph_), waiting);
  if (all.is_easily(bound)) return false;
  const clock part = lasting();
  if (before == 0 && preemption_count(graph_, part, waiting).exceeds(bound)) return true;
  const std::optional<unsigned> deleted = slack(part, created, ends);
  return deleted && all.exceeds(bound + *deleted);
}

}  // namespace fencepost::verify
