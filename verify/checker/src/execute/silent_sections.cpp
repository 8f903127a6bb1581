#include "execute/silent_sections.hpp"

#include <algorithm>

#include "model/consistency.hpp"

namespace fencepost::verify {

// True if the event changes the number of readers, or finds a writer.
static bool counts_readers(const graph& g, const event& e) noexcept {
  return e.kind == event_kind::rmw && !e.compares && !e.awaits &&
         g.history(e.loc[0]).lock == lock_kind::shared_mutex;
}
static bool adds_reader(const graph& g, const event& e) noexcept {
  return counts_readers(g, e) && e.written == e.read + 1;
}
static bool removes_reader(const graph& g, const event& e) noexcept {
  return counts_readers(g, e) && e.written + 1 == e.read;
}

bool takes_mutex(const graph& g, const event& e) noexcept {
  if (e.kind != event_kind::rmw || !e.succeeds()) return false;
  if (e.awaits) return e.waits == wait_for::mutex;
  if (e.compares) return g.history(e.loc[0]).lock == lock_kind::mutex;
  return adds_reader(g, e);
}

bool learns_of_holders(const graph& g, const event& e) noexcept {
  const bool waits = e.awaits && e.waits == wait_for::mutex;
  return !waits && !counts_readers(g, e);
}

// True if a reader of `later` that acquires synchronizes with all that a reader of `earlier` does.
static bool publishes_all_of(const graph& g, event_id later, event_id earlier) {
  return earlier == initial_write ||
         !g.view(earlier).release.exceeds(g.view(later).release, max_threads);
}

// The lock_shared() that this unlock_shared() ends. Both continue the release sequences that they
// belong to, and between them in modification order there are only other readers, which do the
// same; so it makes no difference which of the locks of the thread it is.
static unsigned share_undone_by(const graph& g, unsigned thread, unsigned index) {
  const auto& events = g.thread(thread).events;
  unsigned ended = 0;
  for (unsigned i = index; --i > 0;) {
    const event& e = events[i];
    if (!counts_readers(g, e) || e.loc[0] != events[index].loc[0]) continue;
    if (removes_reader(g, e)) ++ended;
    if (adds_reader(g, e) && ended-- == 0) return i;
  }
  return 0;
}

// True if the thread's write at `index` restores the value that its `before` has found, and comes
// right after it in modification order.
static bool restores(const graph& g, unsigned thread, unsigned index, event_id before) {
  if (before == initial_write || thread_of(before) != thread || index_of(before) > index)
    return false;
  return g.at(before).read == g.thread(thread).events[index].written &&
         publishes_all_of(g, make_id(thread, index), g.at(before).rf[0]);
}

// The unlock() comes right after its lock() in modification order, since no other thread writes to
// a mutex that is held; the two restore the value that was there before. A lock that acquires what
// its unlock() releases publishes all that was published before; one with relaxed operations may
// not.
unsigned lock_undone_by(const graph& g, unsigned thread, unsigned index) {
  const event& e = g.thread(thread).events[index];
  if (removes_reader(g, e)) return share_undone_by(g, thread, index);
  if (e.kind != event_kind::store || e.fields() != 1) return 0;
  const location_history& h = g.history(e.loc[0]);
  const event_id before = h.mo[e.mo[0] - 1];
  const bool undoes = !h.hidden && before != initial_write && takes_mutex(g, g.at(before)) &&
                      restores(g, thread, index, before);
  return undoes ? index_of(before) : 0;
}

bool changes(const graph& g, const event& e) noexcept {
  if (e.kind != event_kind::rmw || !e.succeeds() || e.awaits || e.fields() != 1) return false;
  const location_history& h = g.history(e.loc[0]);
  return e.looks == look_for::nothing && e.written != e.read && !h.hidden &&
         h.lock == lock_kind::none;
}

unsigned change_undone_by(const graph& g, unsigned thread, unsigned index) {
  const event& e = g.thread(thread).events[index];
  if (!e.writes() || e.fields() != 1) return 0;
  const event_id before = g.history(e.loc[0]).mo[e.mo[0] - 1];
  const bool undoes =
      before != initial_write && changes(g, g.at(before)) && restores(g, thread, index, before);
  return undoes ? index_of(before) : 0;
}

namespace {

struct sections {
  bool whole = false;
  std::vector<unsigned> changes;  // the first of each pair
};

}  // namespace

// True if the event does not take back a change that the thread has made: where a lock is built
// from an atomic, the state between two sections is the one in which it is free. False, which
// leaves out nothing, if the thread has changed the object back and forth for too long: each event
// of a loop without end would look back at all of them.
static bool begins_section(const graph& g, unsigned thread, unsigned index) {
  constexpr unsigned longest = 128;  // more than a thread has done when such turns are looked for
  bool begins = true;
  for (unsigned back = 0; (index = change_undone_by(g, thread, index)) != 0; begins = !begins)
    if (++back > longest) return false;
  return begins;
}

static sections sections_of(const graph& g, unsigned thread, unsigned begin, unsigned end) {
  sections found;
  unsigned held = 0;
  std::vector<unsigned> open;  // changes that were not yet taken back
  for (unsigned i = begin + 1; i <= end; ++i) {
    const event& e = g.thread(thread).events[i];
    if (takes_mutex(g, e)) {
      ++held;
    } else if (lock_undone_by(g, thread, i) > begin) {
      --held;
    } else if (e.writes() && (e.kind == event_kind::store || e.written != e.read)) {
      const auto undone = std::find(open.begin(), open.end(), change_undone_by(g, thread, i));
      if (undone != open.end()) {
        open.erase(undone);
      } else if (changes(g, e) && begins_section(g, thread, i)) {
        open.push_back(i);
        found.changes.push_back(i);
      } else {
        return found;
      }
    }
  }
  found.whole = held == 0 && open.empty();
  return found;
}

bool sections_are_whole(const graph& g, unsigned thread, unsigned begin, unsigned end) {
  return sections_of(g, thread, begin, end).whole;
}

std::vector<unsigned> first_changes(const graph& g, unsigned thread, unsigned begin, unsigned end) {
  return sections_of(g, thread, begin, end).changes;
}

}  // namespace fencepost::verify
