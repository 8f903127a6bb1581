// Runs the next execution of an exploration, and counts it.
#pragma once

#include "execute/counterexample_writer.hpp"
#include "execute/execution_runner.hpp"
#include "execute/learning.hpp"
#include "execute/lifetimes.hpp"
#include "execute/model_threads.hpp"
#include "execute/outcomes.hpp"
#include "execute/repetition.hpp"
#include "execute/resuming.hpp"
#include "execute/run_ending.hpp"
#include "execute/run_limits.hpp"
#include "execute/search_progress.hpp"
#include "execute/spin_loops.hpp"
#include "execute/supervisor.hpp"
#include "execute/tape.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/preemption_bound.hpp"
#include "explore/sampler.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

class counting_runner {
 public:
  struct parts {
    const graph& events;
    const consistency& model;
    const symmetry& symmetric;
    const exploration& search;
    sampler& samples;
    const preemption_bound& bound;
    contention& contended;
    const lifetimes& objects;
    const model_threads& threads;
    spin_loops& loops;
    const outcomes& recorded;
    tape& recording;
    const run_ending& ending;
    run_limits& limits;
    const supervisor& watch;
    const resuming& resumption;
    learning& learned;
    execution_runner& runner;
    repetition& repeated;
    counterexample_writer& writer;
    const options& asked;
  };
  explicit counting_runner(const parts& p)
      : graph_(p.events),
        consistency_(p.model),
        symmetry_(p.symmetric),
        exploration_(p.search),
        sampler_(p.samples),
        bound_(p.bound),
        contention_(p.contended),
        objects_(p.objects),
        threads_(p.threads),
        loops_(p.loops),
        outcomes_(p.recorded),
        tape_(p.recording),
        ending_(p.ending),
        limits_(p.limits),
        supervisor_(p.watch),
        resuming_(p.resumption),
        learning_(p.learned),
        runner_(p.runner),
        repetition_(p.repeated),
        writer_(p.writer),
        options_(p.asked) {}

  run_end run(search_progress&);
  // True if the last run was ended because the exploration is to end.
  [[nodiscard]] bool is_out_of_time() const noexcept { return limits_.is_out_of_time(); }
  // Records the violation with which the last run has ended.
  void take_violation(search_progress&);

 private:
  using extent = execution_runner::extent;
  run_end run_and_repeat(search_progress&);
  [[nodiscard]] std::uint64_t passes_allowed(const result& so_far) const;
  bool starts_again(search_progress&, run_end&);
  void take_complete(result&);
  void call_back(bool race, std::uint64_t before);

  const graph& graph_;
  const consistency& consistency_;
  const symmetry& symmetry_;
  const exploration& exploration_;
  sampler& sampler_;
  const preemption_bound& bound_;
  contention& contention_;
  const lifetimes& objects_;
  const model_threads& threads_;
  spin_loops& loops_;
  const outcomes& outcomes_;
  tape& tape_;
  const run_ending& ending_;
  run_limits& limits_;
  const supervisor& supervisor_;
  const resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  repetition& repetition_;
  counterexample_writer& writer_;
  const options& options_;
};

}  // namespace fencepost::verify
