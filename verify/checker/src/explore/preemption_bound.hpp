// Exploring within a bound on preemptions (preemptions.hpp says what is counted).
//
// A graph on the way to one within the bound may itself take more: a revisit deletes what came
// after a read, and with it preemptions. So a run is given up only if each graph that it leads to
// is beyond the bound, for one of two reasons:
//
// 1. What lasts takes too many. An event that was not added maximally is never deleted, and neither
//    is what it comes after; nor is a write that has revisited a read, and what comes before that.
//    A part that is closed takes no more than the whole.
// 2. All that is there takes too many even without what may still be deleted. Let K stay and the
//    rest be deleted. Run K as the graph within the bound does, then the rest in the order in which
//    it was added. There a thread runs until it ends, so the only preemptions that come on top are
//    between K and the rest, one a thread; none in the thread whose write is the first to delete
//    something, since what that write comes after stays. This needs that nothing makes the explorer
//    change threads in between: no thread waits but to join the others.
//
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
  // Threads go on in the order of `by_priority`.
  preemption_bound(const graph& g, const exploration& e, const loop_sites& s,
                   const std::vector<unsigned>& by_priority, const options& o)
      : graph_(g), exploration_(e), sites_(s), by_priority_(by_priority), options_(o) {}

  [[nodiscard]] bool on() const noexcept { return options_.preemptions.has_value(); }
  void begin_run() noexcept { counted_ = 0; }
  // Is every graph that this one leads to beyond the bound? ends: whether a thread that exists has
  // ended, or has nothing left to do but to join others.
  [[nodiscard]] bool exceeded(unsigned created, const std::function<bool(unsigned)>& ends);
  // The preemptions that the graph takes.
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
  std::size_t counted_ = 0;  // length of the trail when preemptions were counted
};

}  // namespace fencepost::verify
