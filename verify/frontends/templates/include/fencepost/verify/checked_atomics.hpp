// The atomics policy under the checker: every access is an event of the explorer.
//
// It has the interface of std::atomic and of the kit's policy (fencepost/atomics/policy.hpp). Each
// operation takes a defaulted source location, so that a counterexample shows the component's own
// lines. To be used inside verify::check() only.
#pragma once

#include "fencepost/verify/checked/atomic.hpp"
#include "fencepost/verify/checked/halves.hpp"
#include "fencepost/verify/checked/mutex.hpp"
#include "fencepost/verify/checked/plain.hpp"
#include "fencepost/verify/checked/policy.hpp"
#include "fencepost/verify/checked/thread.hpp"
