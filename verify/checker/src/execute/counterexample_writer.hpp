// Runs executions again in order to show them.
#pragma once

#include <optional>
#include <utility>

#include "execute/execution_runner.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_ending.hpp"
#include "execute/trace_recorder.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// How hard a counterexample is to read: the number of its steps, then of its changes of thread.
std::pair<std::size_t, std::size_t> reading_length(const counterexample&);

class counterexample_writer {
 public:
  struct parts {
    trace_recorder& trace;
    const model_threads& threads;
    const run_ending& ending;
    execution_runner& runner;
  };
  explicit counterexample_writer(const parts& p)
      : trace_(p.trace), threads_(p.threads), ending_(p.ending), runner_(p.runner) {}

  // Runs the violating execution again and records what happens. Returns false if the violation
  // does not happen again.
  bool explain(counterexample&);
  // Runs a complete execution again and records what happens; nothing if it is not complete now.
  std::optional<execution> example();

 private:
  run_end run_traced();

  trace_recorder& trace_;
  const model_threads& threads_;
  const run_ending& ending_;
  execution_runner& runner_;
};

}  // namespace fencepost::verify
