// The loops of workers that record what they do, and of workers that do not, for the audit.
#include "fencepost/runtime/fork_join_core.hpp"
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/worker_trace.hpp"
// The members of the runners, as in the library.
#include "../../src/task_runner.cpp"

namespace {
using untraced_pool = fencepost::pool_core<>;
using traced_pool = fencepost::pool_core<fencepost::traced_atomics>;
using untraced_fork_join = fencepost::fork_join_core<>;
using traced_fork_join = fencepost::fork_join_core<fencepost::default_atomics,
                                                   fencepost::fork_join_features{.trace = true}>;

template <class Worker>
void spans(Worker& me, void (*named)()) {
  const auto here = me.span("named");
  named();
}
}  // namespace

extern "C" {
void op_untraced_pool(untraced_pool& c, untraced_pool::worker& me) { c.work(me); }
void op_traced_pool(traced_pool& c, traced_pool::worker& me) { c.work(me); }
void op_untraced_fork_join(untraced_fork_join& c, untraced_fork_join::worker& me) { c.work(me); }
void op_traced_fork_join(traced_fork_join& c, traced_fork_join::worker& me) { c.work(me); }
void op_untraced_span(untraced_fork_join::worker& me, void (*named)()) { spans(me, named); }
void op_traced_span(traced_fork_join::worker& me, void (*named)()) { spans(me, named); }
}
