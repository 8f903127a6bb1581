// The preemptions that an execution graph takes.
//
// Run the events of the graph one thread at a time, in an order that extends program order and
// reads-from. Each time a thread is left before it has ended is a preemption, unless what it does
// next is something that may wait: lock a mutex, wait on a futex or condition variable, join a
// thread, or read in a waiting loop. The graph takes as many preemptions as the order that has
// fewest of them.
//
// Reads of old values cost nothing by themselves: what is bounded is how often threads exchange
// news, not how weak the memory is. Of the events that come before others (closed under program
// order and reads-from), the count is never greater than of the whole.
#pragma once

#include <functional>

#include "graph.hpp"

namespace fencepost::verify {

// Of the events in `part`, which is closed; more than `most` is not told from most + 1.
unsigned preemptions(const graph&, const clock& part, const std::function<bool(event_id)>& waits,
                     unsigned most);
// Are there more than so many?
bool more_preemptions(const graph&, const clock& part, const std::function<bool(event_id)>& waits,
                      unsigned than);

}  // namespace fencepost::verify
