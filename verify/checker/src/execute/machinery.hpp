// The parts of an exploration, and how they depend on each other.
#pragma once

#include <functional>

#include "execute/allocations.hpp"
#include "execute/counterexample_writer.hpp"
#include "execute/counting_runner.hpp"
#include "execute/event_performer.hpp"
#include "execute/event_requests.hpp"
#include "execute/execution_runner.hpp"
#include "execute/fibers.hpp"
#include "execute/foreign_memory.hpp"
#include "execute/graph_follower.hpp"
#include "execute/histories.hpp"
#include "execute/learning.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/navigator.hpp"
#include "execute/order_table.hpp"
#include "execute/outcomes.hpp"
#include "execute/prober.hpp"
#include "execute/program_objects.hpp"
#include "execute/progress_watch.hpp"
#include "execute/repetition.hpp"
#include "execute/resume_points.hpp"
#include "execute/resuming.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_ending.hpp"
#include "execute/run_judge.hpp"
#include "execute/run_limits.hpp"
#include "execute/scheduler.hpp"
#include "execute/search.hpp"
#include "execute/spin_loops.hpp"
#include "execute/supervisor.hpp"
#include "execute/symmetric_threads.hpp"
#include "execute/tape.hpp"
#include "execute/thread_runner.hpp"
#include "execute/trace_recorder.hpp"
#include "execute/wait_lists.hpp"
#include "execute/wide_values.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/loop_sites.hpp"
#include "explore/preemption_bound.hpp"
#include "explore/priorities.hpp"
#include "explore/sampler.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

struct machinery {
  // `frames_are_compared`: see engine. `own`: the memory that contains all of this.
  machinery(const options&, std::function<void()> body, bool& frames_are_compared,
            foreign_memory::range own);

  options asked;

  // The tree of executions.
  graph events_so_far;
  consistency model;
  priorities preferred;
  symmetry symmetric;
  exploration tree;
  sampler samples;
  loop_sites sites;
  contention contended;
  preemption_bound bound;

  // The program in a run.
  arena memory;
  lifetimes objects;
  wait_lists waiting;
  wide_values wide;
  order_table table;
  const order_table* orders;  // the table, or null if no orders are changed or listed
  fibers stacks;
  trace_recorder trace;
  tape recording;
  outcomes recorded;
  model_threads threads;

  // A run.
  run_ending ending;
  run_comparison comparison;
  progress_watch progress;
  supervisor watch;
  run_limits limits;
  spin_loops loops;
  histories history;
  symmetric_threads symmetric_group;
  scheduler schedule;
  resume_points points;
  resuming resumption;
  thread_runner program_threads;

  // What the program asks for.
  graph_follower follower;
  event_performer performer;
  event_requests requests;
  program_objects objects_of_program;
  allocations allocated;

  // Runs, one after the other.
  run_judge judge;
  learning learned;
  execution_runner runner;
  repetition repeated;
  counterexample_writer writer;
  counting_runner counting;
  navigator navigation;
  prober probes;
  search main_search;
};

}  // namespace fencepost::verify
