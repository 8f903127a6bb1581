// Load-buffering races: they show, in the executions explored, what an exploration without cycles
// of program order and reads-from leaves out.
//
// A read r and a write w to the same location race if program order and reads-from lead from r to
// w, r does not happen before w (other than by its own release, if it is a read-modify-write), and
// the path leaves r's thread by a store that nothing keeps behind r. Such a store may be seen
// before r reads, and r may then read w: C++ and ARM allow the cycle. r is kept before a later
// store of its thread by its own acquire, by the store's release, and by an acquire or a release
// fence between the two; what counts is the order that r would have with the value of w. A store to
// the same location leads nowhere if its reader happens before w: by coherence it precedes w, and
// what r reads precedes it.
//
// A program without such a race has no cycle, since the first read that takes its value from a
// write that depends on it is in such a race. That cycles come from races, by running the reading
// thread again, is the idea of XC20: Moiseenko and others, "Relaxed Memory Concurrency
// Re-executed", POPL 2025. The rule for what is kept in order is ours, and is checked against an
// enumeration (litmus_load_buffering_test).
#pragma once

#include <array>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// Adds the races that are not in `sum` yet.
void add(std::vector<load_buffering_race>& sum, const std::vector<load_buffering_race>& more);

class load_buffering {
 public:
  load_buffering(const graph& g, const options& o) noexcept : graph_(g), options_(o) {}

  void begin() noexcept { found_.clear(); }
  // Looks for races that end with this event, whose views are up to date.
  void look(event_id id) {
    if (!graph_.at(id).writes()) return;
    const views& v = graph_.view(id);
    if (v.porf.exceeds(v.hb, thread_of(id))) [[unlikely]]
      look_for_reads(id);
  }
  // The two read-modify-writes read from the same write, so the graph is inconsistent. It would not
  // be if the first, which leads to the second, read from the second instead.
  void look_at_conflict(event_id first, event_id second, location at) {
    before_what_ = 0;
    races(first, second, at);
  }
  // The races found, in source order, each once.
  [[nodiscard]] const std::vector<load_buffering_race>& found() const noexcept { return found_; }

 private:
  void look_for_reads(event_id write);
  [[nodiscard]] bool stays_before(event_id read, event_id write) const;
  bool races(event_id read, event_id write, location);
  bool is_way(event_id read, event_id store, event_id write, location);
  void find_predecessors(event_id write);
  [[nodiscard]] bool tells_each() const noexcept {
    return static_cast<bool>(options_.on_load_buffering_race);
  }
  void tell(event_id read, event_id write) const;

  const graph& graph_;
  const options& options_;
  std::vector<load_buffering_race> found_;
  // For each thread, the last event from which program order and reads-from lead to the write. The
  // views cannot tell: those of symmetric threads contain more.
  std::array<unsigned, max_threads> before_{};
  event_id before_what_ = 0;
};

}  // namespace fencepost::verify
