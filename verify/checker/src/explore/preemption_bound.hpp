// Exploring within a bound on preemptions (preemptions.hpp says what is counted).
//
// A graph on the way to one within the bound may itself take more: a revisit deletes what was added
// after a read, and with it preemptions. So a run is abandoned only if each graph that it leads to
// is beyond the bound, for one of two reasons:
// 1. The events that last take too many. An event that was not added maximally is never deleted,
//    and neither are its predecessors; nor are a write that has revisited a read, and its
//    predecessors. A closed part of a graph takes no more than the whole.
// 2. The whole graph takes too many, even without the preemptions that may go with what may still
//    be deleted. Let K be the events that stay, and the rest be deleted. Run K as the graph within
//    the bound does, then the rest in the order in which it was added. There a thread runs until it
//    ends, so the only additional preemptions are between K and the rest, one a thread; none in the
//    thread whose write is the first to delete something, since that write's predecessors stay.
//    This requires that nothing makes the explorer switch threads in between: no thread waits
//    except to join the others.
// Nothing else is left out: the executions explored are those within the bound, and some beyond it.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "explore/exploration.hpp"
#include "explore/loop_sites.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class preemption_bound {
 public:
  // `by_priority` is the order in which threads are preferred.
  preemption_bound(const graph& g, const exploration& e, const loop_sites& s,
                   const std::vector<unsigned>& by_priority, const options& o)
      : graph_(g), exploration_(e), sites_(s), by_priority_(by_priority), options_(o) {}

  [[nodiscard]] bool on() const noexcept { return options_.preemptions.has_value(); }
  void begin_run() noexcept { counted_ = 0; }
  // True if every graph that this one leads to is known to be beyond the bound. `ends`: whether a
  // thread that exists has ended, or has nothing left to do but join others.
  [[nodiscard]] bool exceeded(unsigned created, const std::function<bool(unsigned)>& ends);
  // Returns the number of preemptions that the graph takes.
  [[nodiscard]] unsigned count() const;

 private:
  [[nodiscard]] bool waits(event_id) const;
  [[nodiscard]] clock lasting() const;
  [[nodiscard]] std::optional<unsigned> slack(const clock& part, unsigned created,
                                              const std::function<bool(unsigned)>& ends) const;
  [[nodiscard]] bool creates_behind(const event&, unsigned creator) const;

  const graph& graph_;
  const exploration& exploration_;
  const loop_sites& sites_;
  const std::vector<unsigned>& by_priority_;
  const options& options_;
  std::size_t counted_ = 0;  // length of the trail when preemptions were last counted
};

}  // namespace fencepost::verify
