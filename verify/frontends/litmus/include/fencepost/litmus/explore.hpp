// Runs a litmus test through the explorer: the answer is that of enumerate(), found in another way.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "fencepost/litmus/outcome.hpp"
#include "fencepost/litmus/program.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::litmus {

// As in herd, any number of weak compare-exchanges may fail spuriously.
inline constexpr unsigned any_number = std::numeric_limits<unsigned>::max();

struct explore_options {
  verify::memory_model model = verify::memory_model::rc20;
  unsigned reexecutions = 2;                    // under xc20: see verify::options
  unsigned spurious_failures = any_number;      // of weak compare-exchanges, per execution
  std::uint64_t max_executions = 0;             // 0: no limit; reaching it sets outcome_set::limit
  std::chrono::milliseconds timeout{0};         // 0: no limit; reaching it sets outcome_set::limit
  std::vector<unsigned> priorities;             // of threads: see verify::options
  std::function<void(std::uint64_t)> on_graph;  // a fingerprint of each execution graph
  thread_range symmetric = {};                  // this and the next two: see verify::options
  bool symmetry = true;
  std::function<void(std::uint64_t)> on_class;
  std::function<void(const verify::explored_graph&)> on_complete_graph;
  bool stop_at_race = false;                // a race sets outcome_set::limit
  std::function<void()> on_restart;         // the exploration restarts: discard earlier reports
  const std::atomic<bool>* stop = nullptr;  // stops when true; this sets outcome_set::limit
};

outcome_set explore(const program&, const explore_options& = {});

}  // namespace fencepost::litmus
