// Executions that are run once more to be shown.
#pragma once

#include <optional>
#include <utility>

#include "execute/execution_runner.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_ending.hpp"
#include "execute/trace_recorder.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// What makes a counterexample hard to read: its steps, and then how often the thread changes.
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

  // Runs the violating execution once more and writes down what happens. False if it does not
  // happen again.
  bool explain(counterexample&);
  // Runs a complete execution once more.
  std::optional<execution> example();

 private:
  run_end run_traced();

  trace_recorder& trace_;
  const model_threads& threads_;
  const run_ending& ending_;
  execution_runner& runner_;
};

}  // namespace fencepost::verify
