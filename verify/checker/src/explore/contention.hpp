// Locations whose accesses, in turns of loops that were left out, may race: over all executions.
//
// That a location is contended shows in two executions, which may belong to parts that different
// processes explore. So what shows in a part is kept, with the first run in which it does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "explore/part.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// A location, by who has constructed it.
struct location_name {
  std::uint32_t owner = 0;
  std::uint32_t ordinal = 0;

  friend auto operator<=>(const location_name&, const location_name&) = default;
};

// What shows of a location in a run.
struct observation {
  enum class kind : std::uint8_t {
    left_out,   // these threads access it in idle turns that were left out
    meanwhile,  // another thread writes it, or ends its lifetime, while these are under way
    locked,     // a mutex: these threads hold it in idle turns that were left out
    watched,    // another thread than these may see whether it is held
  };
  location_name of;
  kind what = kind::left_out;
  std::uint64_t threads = 0;  // a bit each
  choice_path first;          // as far as the run had come

  // Is a location contended of which both show, of the same thread?
  [[nodiscard]] static constexpr bool conflict(kind a, kind b) noexcept {
    return (a == kind::left_out && b == kind::meanwhile) ||
           (a == kind::meanwhile && b == kind::left_out) ||
           (a == kind::locked && b == kind::watched) || (a == kind::watched && b == kind::locked);
  }
};

class contention {
 public:
  using threads = std::uint64_t;

  explicit contention(const graph& g) noexcept : graph_(g) {}

  // Known to be contended when the exploration began, or since.
  [[nodiscard]] bool at(location l) const {
    return std::binary_search(known_.begin(), known_.end(), name(l));
  }
  // These return true if it is contended only now; `way`: that of the run, asked only if this is
  // the first that shows it.
  template <class Way>
  bool add_left_out(location l, threads t, bool write, Way&& way) {
    // Another thread that reads it may race as well.
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
  // The thread sees whether it is held.
  template <class Way>
  bool add_watched(location l, unsigned thread, Way&& way) {
    if (watched_by_.size() <= l) watched_by_.resize(l + 1);
    const threads t = threads{1} << thread;
    if ((watched_by_[l] & t) != 0) return false;
    watched_by_[l] |= t;
    return add(l, observation::kind::watched, ~t, way);
  }

  void know(const location_name& n) {
    const auto at = std::lower_bound(known_.begin(), known_.end(), n);
    if (at == known_.end() || *at != n) known_.insert(at, n);
  }
  // The exploration begins again, or a part does: only what is contended stays known.
  void begin() {
    observed_.clear();
    found_.clear();
    watched_by_.clear();
  }
  [[nodiscard]] const std::vector<observation>& observed() const noexcept { return observed_; }
  // What is contended since the exploration began.
  [[nodiscard]] const std::vector<location_name>& found() const noexcept { return found_; }

 private:
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
  std::vector<threads> watched_by_;  // by location: those that were added
};

}  // namespace fencepost::verify
