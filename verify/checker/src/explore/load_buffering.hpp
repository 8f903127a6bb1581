// Load-buffering races: what an exploration without cycles of program order and reads-from leaves
// out, known by the executions that it has.
//
// A read r and a write w to the same location race if program order and reads-from lead from r to
// w, r does not happen before w (other than by its own release, if it is a read-modify-write), and
// the way leaves r's thread by a store that nothing keeps behind r. Such a store may be seen before
// r reads, and r may then read w: C++ and ARM allow the cycle. r is kept before a later store of
// its thread by its own acquire, by the store's release, and by an acquire or a release fence
// between the two; what counts is the order that r would have with the value of w. A store of the
// same location leads nowhere where its reader happens before w: by coherence it precedes w, and
// what r reads precedes it.
//
// In a program without such a race no cycle can begin, since the first read that takes its value
// from what depends on it is in one. That cycles come from races, by another run of the reading
// thread, is XC20: Moiseenko and others, "Relaxed Memory Concurrency Re-executed", POPL 2025. The
// rule for what is kept is ours, and held to an enumeration (litmus_load_buffering_test).
#pragma once

#include <array>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// Adds those that are not there yet.
void add(std::vector<load_buffering_race>& sum, const std::vector<load_buffering_race>& more);

class load_buffering {
 public:
  load_buffering(const graph& g, const options& o) noexcept : graph_(g), options_(o) {}

  void begin() noexcept { found_.clear(); }
  // For the races that end with this event, whose views are known.
  void look(event_id id) {
    if (!graph_.at(id).writes()) return;
    const views& v = graph_.view(id);
    if (v.porf.exceeds(v.hb, thread_of(id))) [[unlikely]]
      look_for_reads(id);
  }
  // The two read the same write, so the graph is inconsistent; but not if the first, which leads to
  // the second, reads the second one's write instead.
  void look_at_conflict(event_id first, event_id second, location at) {
    before_what_ = 0;
    races(first, second, at);
  }
  // In source order, each once.
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
  // What program order and reads-from lead from to the write; of symmetric threads, whose views
  // have more in them, no more than that.
  std::array<unsigned, max_threads> before_{};
  event_id before_what_ = 0;
};

}  // namespace fencepost::verify
