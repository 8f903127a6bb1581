// The end of a run in which no thread can continue.
#pragma once

#include <optional>

#include "execute/model_threads.hpp"
#include "execute/spin_loops.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

struct endless_wait {
  unsigned thread;
  const char* reason;
};

// The thread that waits forever; nothing if the run is only blocked, since other executions go on.
std::optional<endless_wait> waits_forever(const graph&, const model_threads&, const spin_loops&,
                                          const options&);

// True if no thread can continue within the bounds. Other than a thread that waits forever, one
// that has given up, or would need another time-out, is not waited for.
bool are_stuck(const graph&, const model_threads&, const spin_loops&, const options&);

}  // namespace fencepost::verify
