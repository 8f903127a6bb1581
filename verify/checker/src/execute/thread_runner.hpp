// Runs the threads of the program: each begins, calls its function, and ends.
#pragma once

#include <optional>

#include "execute/fibers.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/resuming.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_ending.hpp"
#include "execute/spin_loops.hpp"
#include "execute/symmetric_threads.hpp"
#include "execute/tape.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/loop_sites.hpp"
#include "explore/priorities.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class thread_runner {
 public:
  struct parts {
    graph& events;
    priorities& preferred;
    const loop_sites& sites;
    const arena& memory;
    fibers& stacks;
    model_threads& threads;
    spin_loops& loops;
    const tape& recording;
    run_comparison& comparison;
    symmetric_threads& symmetric;
    resuming& resumption;
    run_ending& ending;
    trace_recorder& trace;
    const options& asked;
  };
  explicit thread_runner(const parts& p)
      : graph_(p.events),
        priorities_(p.preferred),
        sites_(p.sites),
        arena_(p.memory),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        tape_(p.recording),
        comparison_(p.comparison),
        symmetric_threads_(p.symmetric),
        resuming_(p.resumption),
        ending_(p.ending),
        trace_(p.trace),
        options_(p.asked) {}

  void begin_run() noexcept { thrown_.reset(); }
  // True if the states of threads are compared, at reads to which they return.
  [[nodiscard]] bool frames_are_compared() const noexcept {
    return !sites_.empty() && !tape_.comparing();
  }
  // Called from inside the program, or from the scheduler. The thread runs when it is resumed.
  void start(unsigned thread, void (*entry)(void*), void* argument, source_location where);
  // Called from the scheduler; returns when the thread yields.
  void resume(unsigned thread);

  // What the fibers run.
  static void program(void* self) { static_cast<thread_runner*>(self)->run(); }

 private:
  void run();
  void call_body();
  void end();

  graph& graph_;
  priorities& priorities_;
  const loop_sites& sites_;
  const arena& arena_;
  fibers& fibers_;
  model_threads& threads_;
  spin_loops& loops_;
  const tape& tape_;
  run_comparison& comparison_;
  symmetric_threads& symmetric_threads_;
  resuming& resuming_;
  run_ending& ending_;
  trace_recorder& trace_;
  const options& options_;
  std::optional<message> thrown_;  // by the function of the running thread
};

}  // namespace fencepost::verify
