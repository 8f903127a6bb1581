// Running an execution once more, to see whether it is the same: the program may depend on
// something besides what it reads through the policy, and what went on from a resume point may have
// missed something.
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

  // Is the execution of this number, from 1 on, to be run again if it is complete?
  [[nodiscard]] bool is_due(std::uint64_t execution) const;
  // The complete execution of this number was recorded: runs it again, and again.
  run_end repeat(std::uint64_t execution);
  // The run, which went on from a resume point and ended so, from its beginning, along the graph
  // that was there when it began. `record`: its execution is to be repeated.
  run_end run_from_beginning(run_end then, bool record, const extent& before);

  // A violation was not met when its execution was run again.
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
