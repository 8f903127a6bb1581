// Compares what a thread does with the threads that are declared symmetric to it.
#pragma once

#include "execute/fibers.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_control.hpp"
#include "execute/spin_loops.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/symmetry.hpp"

namespace fencepost::verify {

class symmetric_threads {
 public:
  struct parts {
    symmetry& symmetric;
    const fibers& stacks;
    const model_threads& threads;
    spin_loops& loops;
    const trace_recorder& trace;
    run_control& run;
  };
  explicit symmetric_threads(const parts& p)
      : symmetry_(p.symmetric),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        trace_(p.trace),
        run_(p.run) {}

  // Called when the running thread is about to add the event.
  void compare(const event& e, const source_location& where) {
    if (symmetry_.used() != 0) compare_with_group(e, where);
  }
  // Called when the running thread ends.
  void compare_ends() {
    if (symmetry_.used() != 0) compare_ends_with_group();
  }

 private:
  void compare_with_group(const event&, const source_location&);
  void compare_ends_with_group();

  symmetry& symmetry_;
  const fibers& fibers_;
  const model_threads& threads_;
  spin_loops& loops_;
  const trace_recorder& trace_;
  run_control& run_;
};

}  // namespace fencepost::verify
