// Runs an execution again, to check that it is the same: the program may depend on something
// besides what it reads through the policy, and a run that was resumed may have missed something.
#pragma once

#include <cstdint>

#include "execute/execution_runner.hpp"
#include "execute/fibers.hpp"
#include "execute/learning.hpp"
#include "execute/memory.hpp"
#include "execute/outcomes.hpp"
#include "execute/resuming.hpp"
#include "execute/run_ending.hpp"
#include "execute/tape.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class repetition {
 public:
  using extent = execution_runner::extent;
  struct parts {
    arena& memory;
    const fibers& stacks;
    tape& recording;
    const outcomes& recorded;
    run_ending& ending;
    resuming& resumption;
    learning& learned;
    execution_runner& runner;
    const options& asked;
  };
  explicit repetition(const parts& p)
      : arena_(p.memory),
        fibers_(p.stacks),
        tape_(p.recording),
        outcomes_(p.recorded),
        ending_(p.ending),
        resuming_(p.resumption),
        learning_(p.learned),
        runner_(p.runner),
        options_(p.asked) {}

  // True if the execution of this number, counted from 1, is to be run again if it is complete.
  [[nodiscard]] bool is_due(std::uint64_t execution) const;
  // Runs the complete execution of this number, which was recorded, one or more times again.
  run_end repeat(std::uint64_t execution);
  // Makes a run that was resumed, and ended with `then`, once more from its beginning, along the
  // graph that it began with. `record`: its execution is to be repeated.
  run_end run_from_beginning(run_end then, bool record, const extent& before);

  // Says in the counterexample that its violation did not recur when the execution was run again.
  static void did_not_come_again(counterexample&);

 private:
  [[nodiscard]] unsigned times(std::uint64_t execution) const;

  arena& arena_;
  const fibers& fibers_;
  tape& tape_;
  const outcomes& outcomes_;
  run_ending& ending_;
  resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  const options& options_;
};

}  // namespace fencepost::verify
