#include "explore/preemptions.hpp"

#include <algorithm>

namespace fencepost::verify {

// It never pays to switch away from a thread whose next step is possible and does not wait: taking
// the step at once only enables others. So a thread runs until it has to stop, and the search is
// over the order in which threads get their turns, by the number of preemptions.

preemption_count::preemption_count(const graph& g, const clock& part,
                                   const std::function<bool(event_id)>& waits)
    : graph_(g), part_(part) {
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    for (unsigned i = 1; i <= part[t]; ++i) {
      const event_id id = make_id(t, i);
      const event& e = g.at(id);
      if (e.kind == event_kind::create) {
        for (unsigned child = 0; child < graph_.threads(); ++child)
          if (e.concerns(child)) starts_[child] = id;
      }
      if (!e.reads() && e.kind != event_kind::join) continue;
      const bool waiting = waits(id);
      if (waiting || reads_another(id)) stops_[t].push_back({i, waiting});
    }
  }
}

bool preemption_count::reads_another(event_id id) const {
  const event& e = graph_.at(id);
  for (unsigned k = 0; k < e.fields(); ++k)
    if (e.rf[k] != initial_write && thread_of(e.rf[k]) != thread_of(id)) return true;
  return false;
}

// A source in the event's own thread is done by then.
bool preemption_count::possible(event_id id, const clock& done) const {
  const event& e = graph_.at(id);
  if (e.kind == event_kind::join) {
    for (unsigned t = 0; t < graph_.threads(); ++t)
      if (e.concerns(t) && done[t] < part_[t]) return false;
    return true;
  }
  const auto there = [&](event_id source) {
    return thread_of(source) == thread_of(id) || done.covers(source);
  };
  return there(e.rf[0]) && there(e.rf[1]);
}

// Runs the thread until it has to stop. Returns true if that is a preemption.
bool preemption_count::turn(unsigned t, clock& done) const {
  const unsigned from = done[t];
  if (from == 0 && !done.covers(starts_[t])) return false;
  for (const stop& s : stops_[t]) {
    if (s.index <= from) continue;
    const bool first = s.index == from + 1;
    if ((s.waits && !first) || !possible(make_id(t, s.index), done)) {
      done.set(t, s.index - 1);
      return !s.waits && !first;
    }
    done.set(t, s.index);
  }
  done.set(t, part_[t]);
  return false;
}

// Greedy: always takes a turn that costs nothing, if there is one.
bool preemption_count::is_easily(unsigned bound) const {
  clock at;
  for (unsigned count = 0; !(at == part_);) {
    clock best = at;
    bool free = false;
    for (unsigned t = 0; t < graph_.threads() && !free; ++t) {
      if (at[t] == part_[t]) continue;
      clock after = at;
      const bool preempts = turn(t, after);
      if (after == at) continue;
      best = after;
      free = !preempts;
    }
    if (!free && ++count > bound) return false;
    at = best;
  }
  return true;
}

unsigned preemption_count::least(unsigned most) {
  for (auto& bucket : seen_) bucket.clear();
  std::vector<clock> now(1);
  std::vector<clock> next;
  for (unsigned count = 0; count <= most; ++count) {
    while (!now.empty()) {
      const clock at = now.back();
      now.pop_back();
      if (seen(at)) continue;
      if (at == part_) return count;
      for (unsigned t = 0; t < graph_.threads(); ++t) {
        if (at[t] == part_[t]) continue;
        clock after = at;
        (turn(t, after) ? next : now).push_back(after);
      }
    }
    now.swap(next);
  }
  return most + 1;
}

bool preemption_count::seen(const clock& at) {
  std::uint64_t hash = 0;
  for (unsigned t = 0; t < graph_.threads(); ++t) hash = (hash ^ at[t]) * 0x9e3779b97f4a7c15U;
  auto& bucket = seen_[hash >> 58U];
  if (std::find(bucket.begin(), bucket.end(), at) != bucket.end()) return true;
  bucket.push_back(at);
  return false;
}

}  // namespace fencepost::verify
