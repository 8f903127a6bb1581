// Judges a run in which no thread continues.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "execute/lifetimes.hpp"
#include "execute/liveness.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/outcomes.hpp"
#include "execute/run_ending.hpp"
#include "execute/spin_loops.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/exploration.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class run_judge {
 public:
  struct parts {
    const graph& events;
    const exploration& search;
    symmetry& symmetric;
    const arena& memory;
    const lifetimes& objects;
    const model_threads& threads;
    spin_loops& loops;
    const trace_recorder& trace;
    outcomes& recorded;
    run_ending& ending;
    const options& asked;
  };
  explicit run_judge(const parts& p)
      : graph_(p.events),
        exploration_(p.search),
        symmetry_(p.symmetric),
        arena_(p.memory),
        objects_(p.objects),
        threads_(p.threads),
        loops_(p.loops),
        trace_(p.trace),
        outcomes_(p.recorded),
        ending_(p.ending),
        options_(p.asked) {}

  run_end judge();
  // Sets a function to call before options::judge_run. It returns false if the execution is
  // impossible.
  void ask_first(std::function<bool()> is_possible) { is_possible_ = std::move(is_possible); }

 private:
  run_end judge_as_explored();
  void violate(const run_judgement&);
  // The threads that have not ended, a bit each.
  [[nodiscard]] std::uint64_t going_on() const;
  run_end judge_stuck();
  run_end judge_endless(const endless_wait&);
  run_end judge_complete();
  run_end restart();
  [[nodiscard]] std::optional<message> forbidden_outcome() const;
  [[nodiscard]] bool accesses_any() const;

  const graph& graph_;
  const exploration& exploration_;
  symmetry& symmetry_;
  const arena& arena_;
  const lifetimes& objects_;
  const model_threads& threads_;
  spin_loops& loops_;
  const trace_recorder& trace_;
  outcomes& outcomes_;
  run_ending& ending_;
  const options& options_;
  std::function<bool()> is_possible_;
};

}  // namespace fencepost::verify
