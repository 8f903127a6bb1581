// Contended locations, whose accesses in loop turns that were left out may race: over all
// executions.
//
// It may take two executions to show that a location is contended, and they may belong to parts
// that different processes explore. So each observation in a part is kept, with the first run that
// shows it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/part.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// A location, named by the thread that constructed it.
struct location_name {
  std::uint32_t owner = 0;
  std::uint32_t ordinal = 0;

  friend auto operator<=>(const location_name&, const location_name&) = default;
};

// What a run shows about a location.
struct observation {
  enum class kind : std::uint8_t {
    left_out,   // these threads access it in idle turns that were left out
    meanwhile,  // another thread writes it, or ends its lifetime, while these run
    locked,     // a mutex: these threads hold it in idle turns that were left out
    watched,    // a thread other than these may see whether it is held
    undone,     // it is changed, and changed back, in idle turns that were left out
    seen,       // a thread has seen such a change by another
  };
  location_name of;
  kind what = kind::left_out;
  std::uint64_t threads = 0;  // a bit each
  choice_path first;          // the path of the run, as far as it had come

  // True if a location is contended for which both were observed, with a thread in common.
  [[nodiscard]] static constexpr bool conflict(kind a, kind b) noexcept {
    return (a == kind::left_out && b == kind::meanwhile) ||
           (a == kind::meanwhile && b == kind::left_out) ||
           (a == kind::locked && b == kind::watched) || (a == kind::watched && b == kind::locked) ||
           (a == kind::undone && b == kind::seen) || (a == kind::seen && b == kind::undone);
  }
};

class contention {
 public:
  using threads = std::uint64_t;

  explicit contention(const graph& g) noexcept : graph_(g) {}

  // True if the location was known to be contended when the exploration began, or has been found to
  // be.
  [[nodiscard]] bool at(location l) const {
    return std::binary_search(known_.begin(), known_.end(), name(l));
  }
  // These return true if the location has only now become contended. `way` returns the path of the
  // run, and is called only if the observation is new.
  template <class Way>
  bool add_left_out(location l, threads t, bool write, Way&& way) {
    // A location that is written is contended at once: a thread that only reads it may race as
    // well.
    const bool contended = add(l, observation::kind::left_out, t, way);
    return (write && add(l, observation::kind::meanwhile, t, way)) || contended;
  }
  template <class Way>
  bool add_meanwhile(location l, threads t, Way&& way) {
    return add(l, observation::kind::meanwhile, t, way);
  }
  template <class Way>
  bool add_locked(location l, threads t, Way&& way) {
    return add(l, observation::kind::locked, t, way);
  }
  // The thread observes whether the mutex is held.
  template <class Way>
  bool add_watched(location l, unsigned thread, Way&& way) {
    if (watched_by_.size() <= l) watched_by_.resize(l + 1);
    const threads t = threads{1} << thread;
    if ((watched_by_[l] & t) != 0) return false;
    watched_by_[l] |= t;
    return add(l, observation::kind::watched, ~t, way);
  }
  template <class Way>
  bool add_undone(location l, Way&& way) {
    return add(l, observation::kind::undone, all, way);
  }
  template <class Way>
  bool add_seen(location l, Way&& way) {
    return add(l, observation::kind::seen, all, way);
  }

  void know(const location_name& n) {
    const auto at = std::lower_bound(known_.begin(), known_.end(), n);
    if (at == known_.end() || *at != n) known_.insert(at, n);
  }
  // Begins the exploration again, or a part: only the contended locations stay known.
  void begin() {
    observed_.clear();
    found_.clear();
    watched_by_.clear();
  }
  [[nodiscard]] const std::vector<observation>& observed() const noexcept { return observed_; }
  // The locations found to be contended since the exploration, or the part, began.
  [[nodiscard]] const std::vector<location_name>& found() const noexcept { return found_; }

 private:
  static constexpr threads all = ~threads{0};

  [[nodiscard]] location_name name(location l) const {
    return {graph_.history(l).owner, graph_.history(l).ordinal};
  }
  template <class Way>
  bool add(location l, observation::kind what, threads t, Way&& way) {
    if (at(l)) return false;
    const location_name n = name(l);
    threads others = 0;
    for (const observation& o : observed_) {
      if (o.of != n) continue;
      if (o.what == what)
        t &= ~o.threads;
      else if (observation::conflict(o.what, what))
        others |= o.threads;
    }
    if (t == 0) return false;
    observed_.push_back({n, what, t, way()});
    if ((t & others) == 0) return false;
    know(n);
    found_.push_back(n);
    return true;
  }

  const graph& graph_;
  std::vector<location_name> known_;  // sorted
  std::vector<observation> observed_;
  std::vector<location_name> found_;
  std::vector<threads> watched_by_;  // by location: the threads already added
};

}  // namespace fencepost::verify
