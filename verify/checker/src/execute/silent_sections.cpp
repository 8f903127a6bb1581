#include "execute/silent_sections.hpp"

#include "model/consistency.hpp"

namespace fencepost::verify {

bool takes_mutex(const graph& g, const event& e) noexcept {
  if (e.kind != event_kind::rmw || !e.succeeds()) return false;
  return e.awaits ? e.waits == wait_for::mutex : e.compares && g.history(e.loc[0]).mutex;
}

// True if a reader of `later` that acquires synchronizes with all that a reader of `earlier` does.
static bool publishes_all_of(const graph& g, event_id later, event_id earlier) {
  return earlier == initial_write ||
         !g.view(earlier).release.exceeds(g.view(later).release, max_threads);
}

// The unlock() comes right after its lock() in modification order, since no other thread writes to
// a mutex that is held; the two restore the value that was there before. A lock that acquires what
// its unlock() releases publishes all that was published before; one with relaxed operations may
// not.
unsigned lock_undone_by(const graph& g, unsigned thread, unsigned index) {
  const event& e = g.thread(thread).events[index];
  if (e.kind != event_kind::store || e.fields() != 1) return 0;
  const location_history& h = g.history(e.loc[0]);
  const event_id before = h.mo[e.mo[0] - 1];
  if (h.hidden || before == initial_write || thread_of(before) != thread) return 0;
  const event& lock = g.at(before);
  const bool undoes = takes_mutex(g, lock) && lock.read == e.written && index_of(before) < index &&
                      publishes_all_of(g, make_id(thread, index), lock.rf[0]);
  return undoes ? index_of(before) : 0;
}

bool sections_are_whole(const graph& g, unsigned thread, unsigned begin, unsigned end) {
  unsigned held = 0;
  for (unsigned i = begin + 1; i <= end; ++i) {
    const event& e = g.thread(thread).events[i];
    if (takes_mutex(g, e)) ++held;
    if (e.kind != event_kind::store) continue;
    if (lock_undone_by(g, thread, i) <= begin) return false;
    --held;
  }
  return held == 0;
}

}  // namespace fencepost::verify
