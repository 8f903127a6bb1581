// Which executions with a cycle a run with promised reads makes, and what is wrong with them. The
// axioms decide: the explorer does not know the sources of the promised reads.
#pragma once

#include <cstdint>
#include <vector>

#include "axioms/recheck.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/options.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/promising_engine.hpp"
#include "reexecute/race_beginnings.hpp"

namespace fencepost::verify {

class execution_judge {
 public:
  // The engine is that of the runs from the batch. What the executions lead to is added to `next`.
  execution_judge(const options& o, const batch& b, promising_engine& e, race_beginnings& next)
      : options_(o), batch_(b), engine_(e), beginnings_(next) {}

  run_judgement judge(const explored_graph&, const ended_run&);

  // The executions of the run that was judged last, if it was complete, …
  struct complete_execution {
    std::uint64_t fingerprint;
    bool race;
  };
  [[nodiscard]] const std::vector<complete_execution>& complete() const noexcept {
    return complete_;
  }
  // … and the start that it repeats, or null.
  [[nodiscard]] const start* repeated() const noexcept { return repeated_; }

 private:
  run_judgement judge_executions(const explored_graph&, const ended_run&);
  void judge_execution(const explored_graph&, const std::vector<promise>& kept, const ended_run&,
                       run_judgement&);
  [[nodiscard]] bool is_believed(const axioms::reading&, const ended_run&);
  [[nodiscard]] bool is_cyclic(const axioms::reading&, const ended_run&);

  const options& options_;
  const batch& batch_;
  promising_engine& engine_;
  race_beginnings& beginnings_;
  std::vector<complete_execution> complete_;
  const start* repeated_ = nullptr;
};

}  // namespace fencepost::verify
