// What the program records: outcomes, and the moments of a history.

#include <algorithm>

#include "execute/explorer.hpp"

namespace fencepost::verify {

void explorer::broken(const char* what, source_location where) {
  ending_.report(violation::assertion, what, where);
}

void explorer::record(std::string_view text) {
  const engine_scope scope;
  record_outcome(text);
}

// A moment is the last event before it. A turn with an operation in it is never idle: the history
// tells it from the next.
runner::moment explorer::called() {
  loops_.end_turn();
  return last_event();
}

// An operation without events has come back when the thread's next event comes before something.
runner::moment explorer::returned(moment called) {
  loops_.end_turn();
  const auto last = static_cast<event_id>(last_event());
  return last == called ? last + 1 : last;
}

bool explorer::is_before(moment returned, moment called) {
  const auto last = static_cast<event_id>(returned);
  const clock& hb = graph_.view(static_cast<event_id>(called)).hb;
  if (index_of(last) <= graph_.thread(thread_of(last)).length()) return hb.covers(last);
  // Nothing came after it: it comes before what comes after a join.
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    for (unsigned i = 1; i <= hb[t]; ++i) {
      const event& e = graph_.thread(t).events[i];
      if (e.kind == event_kind::join && e.concerns(thread_of(last))) return true;
    }
  }
  return false;
}

void explorer::record_outcome(std::string_view text) {
  const engine_scope scope;
  if (tape_.on())
    note({.what = tape::act::outcome, .text = std::string(text), .where = running().where});
  loops_.end_turn();  // a turn that records is not idle
  outcomes_.record(way_to(fibers_.running()), text);
}

// A thread's number depends on the order of the threads; which child of which thread it is does
// not.
std::vector<unsigned> explorer::way_to(unsigned thread) const {
  std::vector<unsigned> way;
  for (; thread != 0; thread = thread_of(threads_.creator(thread))) {
    unsigned nth = 0;
    for (unsigned t = 0; t < thread; ++t)
      if (graph_.at(threads_.creator(thread)).concerns(t)) ++nth;
    way.push_back(nth);
    way.push_back(index_of(threads_.creator(thread)));
  }
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace fencepost::verify
