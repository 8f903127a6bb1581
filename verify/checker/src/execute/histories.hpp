// What the program reports about itself: broken claims, outcomes, and the moments of a history of
// operations.
#pragma once

#include <string_view>

#include "execute/fibers.hpp"
#include "execute/model_threads.hpp"
#include "execute/outcomes.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_control.hpp"
#include "execute/spin_loops.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class histories final : public runner {
 public:
  struct parts {
    const graph& events;
    const fibers& stacks;
    const model_threads& threads;
    spin_loops& loops;
    outcomes& recorded;
    run_comparison& comparison;
    run_control& run;
  };
  explicit histories(const parts& p)
      : graph_(p.events),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        outcomes_(p.recorded),
        comparison_(p.comparison),
        run_(p.run) {}

  void begin_run() noexcept { aside_ = false; }
  // True while allocations are not the program's own.
  [[nodiscard]] bool is_aside() const noexcept { return aside_; }
  // The last event of the running thread.
  [[nodiscard]] event_id last_event() const noexcept {
    return make_id(fibers_.running(), threads_[fibers_.running()].position);
  }

  // runner
  void broken(const char* what, source_location where) override {
    run_.report(violation::assertion, what, where);
  }
  void record(std::string_view outcome) override;
  // A moment is given as the last event before it. A turn with an operation in it is never idle:
  // the history distinguishes it from the next turn.
  moment called() override;
  moment returned(moment called) override;
  bool is_before(moment returned, moment called) override;
  void aside(bool begins) override { aside_ = begins; }

 private:
  const graph& graph_;
  const fibers& fibers_;
  const model_threads& threads_;
  spin_loops& loops_;
  outcomes& outcomes_;
  run_comparison& comparison_;
  run_control& run_;
  bool aside_ = false;
};

}  // namespace fencepost::verify
