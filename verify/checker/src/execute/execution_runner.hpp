// Runs executions: the program follows the graph, then extends it.
#pragma once

#include <cstdint>
#include <functional>

#include "execute/histories.hpp"
#include "execute/learning.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/outcomes.hpp"
#include "execute/resuming.hpp"
#include "execute/run_ending.hpp"
#include "execute/run_judge.hpp"
#include "execute/run_limits.hpp"
#include "execute/scheduler.hpp"
#include "execute/tape.hpp"
#include "execute/thread_runner.hpp"
#include "execute/trace_recorder.hpp"
#include "execute/wait_lists.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/preemption_bound.hpp"
#include "explore/sampler.hpp"
#include "explore/symmetry.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class execution_runner {
 public:
  struct parts {
    graph& events;
    symmetry& symmetric;
    exploration& search;
    sampler& samples;
    contention& contended;
    preemption_bound& bound;
    arena& memory;
    lifetimes& objects;
    wait_lists& waiting;
    tape& recording;
    outcomes& recorded;
    trace_recorder& trace;
    model_threads& threads;
    scheduler& schedule;
    thread_runner& runner;
    histories& history;
    run_limits& limits;
    run_ending& ending;
    run_judge& judge;
    resuming& resumption;
    learning& learned;
    bool& frames_are_compared;  // see engine
  };
  execution_runner(const parts& p, std::function<void()> body)
      : graph_(p.events),
        symmetry_(p.symmetric),
        exploration_(p.search),
        sampler_(p.samples),
        contention_(p.contended),
        bound_(p.bound),
        arena_(p.memory),
        objects_(p.objects),
        wait_lists_(p.waiting),
        tape_(p.recording),
        outcomes_(p.recorded),
        trace_(p.trace),
        threads_(p.threads),
        scheduler_(p.schedule),
        thread_runner_(p.runner),
        histories_(p.history),
        limits_(p.limits),
        ending_(p.ending),
        judge_(p.judge),
        resuming_(p.resumption),
        learning_(p.learned),
        frames_are_compared_(p.frames_are_compared),
        body_(std::move(body)) {}

  // Runs until no run restarts the exploration: never returns run_end::again.
  run_end run();
  // Makes one run; returns run_end::again if the exploration was restarted.
  run_end run_or_learn();

  // How far the graph and the choices extend.
  struct extent {
    std::size_t trail = 0;
    std::size_t choices = 0;
  };
  [[nodiscard]] extent now() const { return {graph_.trail().size(), exploration_.choices()}; }
  // Discards what was added since then, and runs again.
  run_end add_again(const extent& before) {
    cut(before);
    return run_or_learn();
  }

  // The number of runs so far, including those that were not counted.
  [[nodiscard]] std::uint64_t runs() const noexcept { return runs_; }

 private:
  run_end run_once();
  run_end run_from_resume_point();
  run_end run_from_the_body();
  void begin_again(const extent& before);
  run_end run_on();
  void begin_run();
  void begin_to_go_on();
  void follow_graph();
  [[nodiscard]] bool beyond_bound();
  void cut(const extent& before);

  graph& graph_;
  symmetry& symmetry_;
  exploration& exploration_;
  sampler& sampler_;
  contention& contention_;
  preemption_bound& bound_;
  arena& arena_;
  lifetimes& objects_;
  wait_lists& wait_lists_;
  tape& tape_;
  outcomes& outcomes_;
  trace_recorder& trace_;
  model_threads& threads_;
  scheduler& scheduler_;
  thread_runner& thread_runner_;
  histories& histories_;
  run_limits& limits_;
  run_ending& ending_;
  run_judge& judge_;
  resuming& resuming_;
  learning& learning_;
  bool& frames_are_compared_;
  std::function<void()> body_;
  std::uint64_t runs_ = 0;
};

}  // namespace fencepost::verify
