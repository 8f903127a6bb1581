// What coherence says about promised reads, as far as the explorer's graph tells: little, but at
// once.
#pragma once

#include "execute/explorer.hpp"
#include "graph/graph.hpp"
#include "reexecute/patches.hpp"

namespace fencepost::verify {

// True if the event has read, in this field, something older than the promised write, which its
// thread has read after its event number `before`. That is so if the source is no later than what
// the thread knew of the location by then, and cannot be the promised write, which the thread may
// have known as well.
[[nodiscard]] bool reads_what_is_older(const explorer&, event_id, unsigned field, const promise&,
                                       unsigned before);

// For a run that is over: true if there may be a write for each promised read, as far as the
// accesses of the read's thread to the location tell.
[[nodiscard]] bool may_be_coherent(const graph&, const patches&);

}  // namespace fencepost::verify
