#include "preemptions.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace fencepost::verify {

namespace {

// It never pays to leave a thread before a step that it can make and that does not wait: making it
// at once only enables others. So a thread runs until it has to stop, and what is searched is the
// order in which threads get their turns, by the number of preemptions.
class search {
 public:
  search(const graph& g, const clock& part, const std::function<bool(event_id)>& waits)
      : graph_(g), part_(part) {
    starts_.fill(0);
    for (unsigned t = 0; t < max_threads; ++t) {
      for (unsigned i = 1; i <= part[t]; ++i) {
        const event_id id = make_id(t, i);
        const event& e = g.at(id);
        if (e.kind == event_kind::create) {
          for (unsigned child = 0; child < max_threads; ++child)
            if (e.concerns(child)) starts_[child] = id;
        }
        const bool waiting = waits(id);
        if (waiting || reads_another(id)) stops_[t].push_back({i, waiting});
      }
    }
  }

  // A quick try: always a turn that costs nothing, if there is one.
  bool easily(unsigned most) const {
    clock at;
    for (unsigned count = 0; !(at == part_);) {
      clock best = at;
      bool free = false;
      for (unsigned t = 0; t < max_threads && !free; ++t) {
        clock after = at;
        const bool preempts = at[t] < part_[t] && turn(t, after);
        if (after == at) continue;
        best = after;
        free = !preempts;
      }
      if (!free && ++count > most) return false;
      at = best;
    }
    return true;
  }

  unsigned least(unsigned most) {
    std::vector<clock> now(1), next;
    for (unsigned count = 0; count <= most; ++count) {
      while (!now.empty()) {
        const clock at = now.back();
        now.pop_back();
        if (seen(at)) continue;
        if (at == part_) return count;
        for (unsigned t = 0; t < max_threads; ++t) {
          clock after = at;
          if (at[t] < part_[t]) (turn(t, after) ? next : now).push_back(after);
        }
      }
      now.swap(next);
    }
    return most + 1;
  }

 private:
  struct stop {
    unsigned index;
    bool waits;
  };

  bool reads_another(event_id id) const {
    const event& e = graph_.at(id);
    if (!e.reads()) return false;
    for (unsigned k = 0; k < e.fields(); ++k)
      if (e.rf[k] != initial_write && thread_of(e.rf[k]) != thread_of(id)) return true;
    return false;
  }
  // What it reads of its own thread's is there by then.
  bool possible(event_id id, const clock& done) const {
    const event& e = graph_.at(id);
    const auto there = [&](event_id source) {
      return thread_of(source) == thread_of(id) || done.covers(source);
    };
    if (e.kind == event_kind::join) {
      for (unsigned t = 0; t < max_threads; ++t)
        if (e.concerns(t) && done[t] < part_[t]) return false;
      return true;
    }
    return !e.reads() || (there(e.rf[0]) && there(e.rf[1]));
  }
  // Runs the thread until it has to stop. True: that is a preemption.
  bool turn(unsigned t, clock& done) const {
    const unsigned from = done[t];
    if (from == 0 && !done.covers(starts_[t])) return false;
    for (const stop& s : stops_[t]) {
      if (s.index <= from) continue;
      if (s.waits && s.index != from + 1) {
        done.set(t, s.index - 1);
        return false;
      }
      if (possible(make_id(t, s.index), done)) {
        done.set(t, s.index);
        continue;
      }
      done.set(t, s.index - 1);
      return s.index != from + 1;
    }
    done.set(t, part_[t]);
    return false;
  }
  bool seen(const clock& at) {
    std::uint64_t hash = 0;
    for (unsigned t = 0; t < max_threads; ++t) hash = (hash ^ at[t]) * 0x9e3779b97f4a7c15U;
    auto& bucket = seen_[hash >> 58U];
    if (std::find(bucket.begin(), bucket.end(), at) != bucket.end()) return true;
    bucket.push_back(at);
    return false;
  }

  const graph& graph_;
  const clock part_;
  std::array<event_id, max_threads> starts_;
  std::array<std::vector<stop>, max_threads> stops_;
  std::array<std::vector<clock>, 64> seen_;
};

}  // namespace

bool more_preemptions(const graph& g, const clock& part, const std::function<bool(event_id)>& waits,
                      unsigned than) {
  search s(g, part, waits);
  return !s.easily(than) && s.least(than) > than;
}

unsigned preemptions(const graph& g, const clock& part, const std::function<bool(event_id)>& waits,
                     unsigned most) {
  return search(g, part, waits).least(most);
}

}  // namespace fencepost::verify
