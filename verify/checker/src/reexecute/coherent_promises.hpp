// What coherence says of promised reads, as far as the explorer's graph tells: little, but at once.
#pragma once

#include "execute/explorer.hpp"
#include "graph/graph.hpp"
#include "reexecute/patches.hpp"

namespace fencepost::verify {

// Has the event, in one of its fields, read something older than the promise, which its thread has
// read after its event number `before`? It has if that was what the thread knew of the location,
// and cannot be the promised write, which the thread may have known as well.
[[nodiscard]] bool reads_what_is_older(const explorer&, event_id, unsigned field, const promise&,
                                       unsigned before);

// Of a run that is over: is there a write for each promised read, as far as the accesses of the
// read's thread to the location tell?
[[nodiscard]] bool may_be_coherent(const graph&, const patches&);

}  // namespace fencepost::verify
