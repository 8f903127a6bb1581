// The model xc20: executions with load buffering come from those without when what reads runs
// again.
//
// Moiseenko and others, "Relaxed Memory Concurrency Re-executed", POPL 2025.
// docs/guide/memory-model.md says how what is done here is simpler.
#pragma once

#include <functional>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Explores rc20 by `explore`, and then what comes from each load-buffering race.
result explore_with_reexecutions(
    const options&, const std::function<void()>& body,
    const std::function<result(const options&, const std::function<void()>&)>& explore);

}  // namespace fencepost::verify
