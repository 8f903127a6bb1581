// The model xc20: executions with load buffering follow from those without by running again the
// threads whose reads are in a load-buffering race.
//
// Moiseenko and others, "Relaxed Memory Concurrency Re-executed", POPL 2025.
// docs/guide/memory-model.md says in what way this implementation is simpler.
#pragma once

#include <functional>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

using exploration_of_body =
    std::function<result(const options&, const std::function<void()>& body)>;

// Explores rc20 by `explore`, and then what follows from each load-buffering race.
result explore_with_reexecutions(const options&, const std::function<void()>& body,
                                 const exploration_of_body& explore);

}  // namespace fencepost::verify
