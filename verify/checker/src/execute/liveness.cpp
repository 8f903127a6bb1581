#include "execute/liveness.hpp"

namespace fencepost::verify {

namespace {

using state = model_thread::state;

bool may_time_out(wait_for waits, unsigned timeouts) {
  return waits == wait_for::wake_up_or_timeout && timeouts > 0;
}

// True if the spinning thread might continue with another source of a read, or another choice.
bool may_leave_loop(const graph& g, unsigned t, const model_thread& m, const spin_loops& loops,
                    unsigned timeouts) {
  for (unsigned i = loops.turn_begins(t) + 1; i <= m.position; ++i) {
    const event& e = g.thread(t).events[i];
    if (e.spurious || (e.reads() && !loops.read_latest(t, i))) return true;
    if (e.kind == event_kind::choose && e.charge == budget::timeout && timeouts > 0) return true;
  }
  return false;
}

// The same for a thread that is blocked by what it has read.
bool may_read_other(const graph& g, unsigned t, const model_thread& m, unsigned timeouts) {
  const unsigned i = m.position;
  if (i == 0) return true;
  const event& e = g.thread(t).events[i];
  const unsigned k = e.fields() - 1;
  const event_id latest = g.history(e.loc[k]).mo.back();
  if (e.torn || (e.rf[k] != latest && latest != make_id(t, i))) return true;
  return may_time_out(e.waits, timeouts);
}

const char* reason(wait_for what) {
  switch (what) {
    case wait_for::mutex: return "the mutex is never unlocked";
    case wait_for::wake_up:
    case wait_for::wake_up_or_timeout: return "nobody wakes it (lost wake-up)";
    case wait_for::nothing: break;
  }
  return "nothing that it reads can still change";
}

// True if the thread has not ended, and may still continue in this execution, or in another one
// that has the same events up to what the thread does last.
bool may_go_on(const graph& g, unsigned t, const model_thread& m, const spin_loops& loops,
               unsigned timeouts) {
  switch (m.at) {
    case state::finished:
    case state::unused:
    case state::gave_up: return false;
    case state::frontier: return may_time_out(m.wants->waits, timeouts);
    case state::spinning: return may_leave_loop(g, t, m, loops, timeouts);
    default: return may_read_other(g, t, m, timeouts);
  }
}

}  // namespace

std::optional<endless_wait> waits_forever(const graph& g, const model_threads& threads,
                                          const spin_loops& loops, const options& o) {
  unsigned culprit = max_threads;
  for (unsigned t = 0; t < threads.created(); ++t) {
    const model_thread& m = threads[t];
    if (m.at == state::gave_up || may_go_on(g, t, m, loops, o.timeouts)) return {};
    const bool ended = m.at == state::finished || m.at == state::unused;
    const bool joins = m.at == state::frontier && m.wants->kind == event_kind::join;
    if (!ended && !joins && culprit == max_threads) culprit = t;
  }
  if (culprit == max_threads) culprit = 0;
  const model_thread& m = threads[culprit];
  wait_for what = wait_for::nothing;
  if (m.at == state::frontier) what = m.wants->waits;
  if (m.at == state::blocked) what = g.thread(culprit).events.back().waits;
  return endless_wait{culprit, reason(what)};
}

bool are_stuck(const graph& g, const model_threads& threads, const spin_loops& loops,
               const options& o) {
  const unsigned left = o.timeouts - g.spent().timeouts;
  for (unsigned t = 0; t < threads.created(); ++t)
    if (may_go_on(g, t, threads[t], loops, left)) return false;
  return true;
}

}  // namespace fencepost::verify
