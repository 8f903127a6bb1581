// The oracle: finds every execution of a small litmus test by brute force.
//
// It builds every candidate (a path of each thread, and for each read the write that it reads from,
// po ∪ rf acyclic), tries every modification order, and keeps the executions that the axioms of the
// model allow, computed from their definitions on bit matrices. It shares no code with the explorer
// but the interpreter of thread bodies. Exponential: meant for programs of about ten events.
#pragma once

#include <array>
#include <cstdint>

#include "fencepost/litmus/outcome.hpp"
#include "fencepost/litmus/program.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::litmus {

struct enumerate_options {
  unsigned spurious_failures = ~0U;  // of weak compare-exchanges, per execution; herd has no bound
  std::uint64_t max_candidates = 0;  // 0: no limit; reaching it sets outcome_set::limit
};

inline constexpr std::array all_models = {verify::memory_model::rc20, verify::memory_model::rc11,
                                          verify::memory_model::cpp20};

outcome_set enumerate(const program&, verify::memory_model, const enumerate_options& = {});

// Enumerates under each of all_models; the candidates are built only once.
std::array<outcome_set, all_models.size()> enumerate_all(const program&,
                                                         const enumerate_options& = {});

}  // namespace fencepost::litmus
