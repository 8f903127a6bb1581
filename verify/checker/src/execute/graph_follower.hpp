// Follows the graph: what a thread does up to where the graph ends for it.
#pragma once

#include "execute/fibers.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_limits.hpp"
#include "execute/spin_loops.hpp"
#include "execute/tape.hpp"
#include "execute/trace_recorder.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class graph_follower {
 public:
  struct parts {
    const graph& events;
    const fibers& stacks;
    model_threads& threads;
    spin_loops& loops;
    const trace_recorder& trace;
    const tape& recording;
    run_limits& limits;
    run_comparison& comparison;
  };
  explicit graph_follower(const parts& p)
      : graph_(p.events),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        trace_(p.trace),
        tape_(p.recording),
        limits_(p.limits),
        comparison_(p.comparison) {}

  // Does the running thread's next event of the graph, and returns it, if it is the requested one
  // and no source has to be waited for: most events of most runs. Otherwise does nothing and
  // returns null: the event needs a closer look, or there is none.
  const event* next(event_kind, word, order, value operand, source_location where);
  // Waits until the running thread can do its next event of the graph, which must be the requested
  // one.
  void follow(const event& asked, source_location where);

 private:
  void wait_for(event_id, bool end);

  const graph& graph_;
  const fibers& fibers_;
  model_threads& threads_;
  spin_loops& loops_;
  const trace_recorder& trace_;
  const tape& tape_;
  run_limits& limits_;
  run_comparison& comparison_;
};

}  // namespace fencepost::verify
